#!/usr/bin/env node
// `npm start`, and a link to this file on PATH: install, build, run. Arguments go to caliban as they are.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { prepare, root, workspaceNode } from "./workspace.mjs";

await prepare();

const program = join(root, "apps", "caliban", "dist", "bin.js");
// npm moves to the workspace; caliban works where the person stood. Another npm, such as the one that started
// the agent that starts us, means another place.
const { INIT_CWD: whereNpmWasCalled, ...env } = process.env;
const isNpmStart = env["npm_package_name"] === "caliban-workspace";
const child = spawn(workspaceNode, [program, ...process.argv.slice(2)], {
  cwd: (isNpmStart ? whereNpmWasCalled : undefined) ?? process.cwd(),
  env,
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
