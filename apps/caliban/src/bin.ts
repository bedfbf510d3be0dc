#!/usr/bin/env node
import manifest from "../package.json" with { type: "json" };
import { unsupportedNodeMessage, lostOutput, writeAtOnce } from "./process/startup.ts";

const unsupported = unsupportedNodeMessage(process.version);

if (unsupported !== undefined) {
  process.stderr.write(unsupported);
  process.exitCode = 1;
} else {
  // Scripts ask for the version often and users wait for help, so both are answered before the program is loaded.
  const early = process.argv.length === 3 ? await earlyAnswer(process.argv[2]) : undefined;
  if (early === undefined) await runProgram();
  else printEarly(early);
}

async function earlyAnswer(word: string | undefined): Promise<string | undefined> {
  if (word === "-V" || word === "--version") return `${manifest.version}\n`;
  if (word !== "-h" && word !== "--help" && word !== "help") return undefined;
  const { renderHelp } = await import("./cli/help.ts");
  const terminal = mayBeTerminal() && process.stdout.isTTY ? process.stdout : undefined;
  const hasColor = terminal?.hasColors() === true;
  return renderHelp([], { hasColor, columns: terminal?.columns });
}

/** Looking at `process.stdout` opens the stream, which takes milliseconds; a file, a pipe and /dev/null have no color. */
function mayBeTerminal(): boolean {
  const { fstatSync, statSync } = process.getBuiltinModule("node:fs");
  const stdout = fstatSync(1);
  const nothing = statSync("/dev/null", { throwIfNoEntry: false });
  return stdout.isCharacterDevice() && stdout.rdev !== nothing?.rdev;
}

function printEarly(text: string): void {
  // Not by import, because an older Node would fail on it before it can print the message above.
  const left = writeAtOnce(text, process.getBuiltinModule("node:fs"));
  if (left.length === 0) return;
  endWithOutput();
  process.stdout.write(left);
}

async function runProgram(): Promise<void> {
  // Imported here, because an older Node cannot even parse it.
  const exitCode = isHook(process.argv) ? await runHook() : await runCommand();
  // Lost output is a failure, however well the rest went.
  process.exitCode ||= exitCode;
}

async function runCommand(): Promise<number> {
  endWithOutput();
  const { main } = await import("./main.ts");
  return await main(process, manifest.version, async () => await import("./run.ts"));
}

async function runHook(): Promise<number> {
  const { main } = await import("./hook-main.ts");
  return await main(process, manifest.version);
}

/** An agent waits for each of its hooks, so that they have a bundle of their own, with nothing else in it. */
function isHook([, , command, verb, agent, ...more]: readonly string[]): boolean {
  const isPlain = agent !== undefined && !agent.startsWith("-") && more.length === 0;
  return command === "hook" && verb === "run" && isPlain;
}

/** Ends the process when no one reads its output any more. */
function endWithOutput(): void {
  // The global, because `import "node:process"` reads every property of it, and opens stdin with it.
  process.stdout.on("error", (error) => {
    const { exitCode, message } = lostOutput(error);
    process.stderr.write(message);
    process.exitCode = exitCode;
    // Another listener has work to finish first.
    if (process.stdout.listenerCount("error") === 1) process.exit(exitCode);
  });
}
