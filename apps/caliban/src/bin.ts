#!/usr/bin/env node
import manifest from "../package.json" with { type: "json" };
import { HELP_TEXT } from "./cli/help-text.ts";
import { unsupportedNodeMessage } from "./node-version.ts";
import { lostOutput } from "./output-error.ts";
import { writeAtOnce } from "./write-at-once.ts";

const unsupported = unsupportedNodeMessage(process.version);
// Answered before anything is loaded: scripts ask for the version often, and people wait for help.
const early = process.argv.length === 3 ? earlyAnswer(process.argv[2]) : undefined;

if (unsupported !== undefined) {
  process.stderr.write(unsupported);
  process.exitCode = 1;
} else if (early !== undefined) {
  // Not by import, which an older Node would meet before the sentence above.
  const left = writeAtOnce(early, process.getBuiltinModule("node:fs"));
  if (left.length > 0) {
    endWithOutput();
    process.stdout.write(left);
  }
} else {
  endWithOutput();
  // Only now, because an older Node could not even parse what is behind it.
  const { main } = await import("./main.ts");
  const exitCode = await main(process, manifest.version);
  // What was lost on the way is no success, however well the rest went.
  process.exitCode ||= exitCode;
}

function earlyAnswer(word: string | undefined): string | undefined {
  if (word === "-V" || word === "--version") return `${manifest.version}\n`;
  return word === "-h" || word === "--help" || word === "help" ? HELP_TEXT : undefined;
}

/** When nobody can read on, there is nothing more to do. */
function endWithOutput(): void {
  // The global, because `import "node:process"` reads every property of it, and opens stdin on the way.
  process.stdout.on("error", (error) => {
    const { exitCode, message } = lostOutput(error);
    process.stderr.write(message);
    process.exitCode = exitCode;
    // Who listens as well has work to end first.
    if (process.stdout.listenerCount("error") === 1) process.exit(exitCode);
  });
}
