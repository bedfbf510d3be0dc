#!/usr/bin/env node
import manifest from "../package.json" with { type: "json" };
import { createOutput } from "./process/output.ts";
import { unsupportedNodeMessage } from "./process/startup.ts";

const output = createOutput(process);
const unsupported = unsupportedNodeMessage(process.version);

if (unsupported !== undefined) {
  process.stderr.write(unsupported);
  process.exitCode = 1;
} else {
  // Scripts ask for the version often and users wait for help, so both are answered before the program is loaded.
  const early = process.argv.length === 3 ? await earlyAnswer(process.argv[2]) : undefined;
  if (early === undefined) await runProgram();
  else output.write(early);
}

async function earlyAnswer(word: string | undefined): Promise<string | undefined> {
  if (word === "-V" || word === "--version") return `${manifest.version}\n`;
  if (word !== "-h" && word !== "--help" && word !== "help") return undefined;
  const { renderHelp } = await import("./cli/help.ts");
  const terminal = output.isTerminal() ? output.open() : undefined;
  const hasColor = terminal?.hasColors() === true;
  return renderHelp([], { hasColor, columns: terminal?.columns });
}

async function runProgram(): Promise<void> {
  // Imported here, because an older Node cannot even parse it.
  const exitCode = isHook(process.argv) ? await runHook() : await runCommand();
  // Lost output is a failure, however well the rest went.
  process.exitCode ||= exitCode;
}

async function runCommand(): Promise<number> {
  const { main } = await import("./main.ts");
  return await main({
    machine: process,
    version: manifest.version,
    output,
    loadProgram: async () => await import("./run.ts"),
  });
}

async function runHook(): Promise<number> {
  const { main } = await import("./hook-main.ts");
  return await main({ machine: process, version: manifest.version, output });
}

/** An agent waits for each of its hooks, so that they have a bundle of their own, with nothing else in it. */
function isHook([, , command, verb, agent, ...more]: readonly string[]): boolean {
  const isPlain = agent !== undefined && !agent.startsWith("-") && more.length === 0;
  return command === "hook" && verb === "run" && isPlain;
}
