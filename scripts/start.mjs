#!/usr/bin/env node
// `npm start`, or a link to this file on PATH: installs, builds and runs caliban with the given arguments.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { prepare, root, workspaceNode } from "./workspace.mjs";

await prepare("start");

const program = join(root, "apps", "caliban", "dist", "bin.js");
// npm changes to the workspace, but caliban works in the user's directory. INIT_CWD of another npm, such as the one that
// started the agent that starts us, is ignored.
const { INIT_CWD: initialDirectory, ...env } = process.env;
const isNpmStart = env["npm_package_name"] === "caliban-workspace";
const child = spawn(workspaceNode, [program, ...process.argv.slice(2)], {
  cwd: (isNpmStart ? initialDirectory : undefined) ?? process.cwd(),
  env,
  stdio: "inherit",
});
// The terminal sends Ctrl-C to the whole process group. The child handles it, and we exit as it does.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
}
child.on("error", (error) => {
  console.error(`caliban: cannot start: ${error.message}`);
  process.exitCode = 1;
});
child.on("close", (code, signal) => {
  process.exitCode = code ?? 128 + (signal === null ? 1 : constants.signals[signal]);
});
