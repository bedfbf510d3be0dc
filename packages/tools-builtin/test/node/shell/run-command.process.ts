// Runs a confined command, and prints what it sees of a directory that this process was given as a descriptor.
import { runCommand } from "../../../src/node/shell/run-command.ts";

const [descriptor = ""] = process.argv.slice(2);
await runCommand({
  shell: "/bin/sh",
  command: `ls /proc/self/fd/${descriptor}/ 2>/dev/null; echo done`,
  directory: "/",
  env: { PATH: process.env["PATH"] },
  timeoutMs: 10_000,
  graceMs: 100,
  sandbox: { file: "/usr/bin/env", args: [], reportsStatus: false },
  onOutput: (bytes) => void process.stdout.write(bytes),
});
