// `npm start`: install, build, run. Arguments after `--` go to caliban as they are.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { prepare, root, workspaceNode } from "./workspace.mjs";

await prepare();

const program = join(root, "apps", "caliban", "dist", "bin.js");
const child = spawn(workspaceNode, [program, ...process.argv.slice(2)], {
  // npm moves to the workspace; caliban works where the person stood.
  cwd: process.env["INIT_CWD"] ?? process.cwd(),
  stdio: "inherit",
});
// The terminal sends Ctrl-C to the whole group: the child decides what it means, and we end as it does.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
}
child.on("error", (error) => {
  console.error(`caliban: it cannot be started here: ${error.message}`);
  process.exitCode = 1;
});
child.on("close", (code, signal) => {
  process.exitCode = code ?? 128 + (signal === null ? 1 : constants.signals[signal]);
});
