// Starts a server, and prints what it sees of a directory that this process was given as a descriptor.
import { text } from "node:stream/consumers";
import { startServerProcess } from "../../../../src/node/client/transport/server-process.ts";

const [descriptor = ""] = process.argv.slice(2);
const script = `ls /proc/self/fd/${descriptor}/ 2>/dev/null; echo done`;
const { PATH = "" } = process.env;
const { child } = await startServerProcess(
  { kind: "stdio", command: "sh", args: ["-c", script], env: { PATH }, cwd: "/" },
  { stderrBytes: 1_000 },
);
process.stdout.write(await text(child.stdout));
