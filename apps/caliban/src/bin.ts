#!/usr/bin/env node
import manifest from "../package.json" with { type: "json" };
import { HELP_TEXT } from "./cli/help-text.ts";
import { unsupportedNodeMessage } from "./node-version.ts";
import { lostOutput } from "./output-error.ts";

// The global, because `import "node:process"` reads every property of it, and opens stdin on the way.
process.stdout.on("error", (error) => {
  const { exitCode, message } = lostOutput(error);
  process.stderr.write(message);
  process.exitCode = exitCode;
  // Who listens as well has work to end first.
  if (process.stdout.listenerCount("error") === 1) process.exit(exitCode);
});

/** Answered before anything is loaded: scripts ask for the version often, and people wait for help. */
const early =
  process.argv.length === 3
    ? new Map([
        ["-V", `${manifest.version}\n`],
        ["--version", `${manifest.version}\n`],
        ["-h", HELP_TEXT],
        ["--help", HELP_TEXT],
        ["help", HELP_TEXT],
      ]).get(process.argv[2] ?? "")
    : undefined;
const unsupported = unsupportedNodeMessage(process.version);
if (unsupported !== undefined) {
  process.stderr.write(unsupported);
  process.exitCode = 1;
} else if (early !== undefined) {
  process.stdout.write(early);
} else {
  // Only now, because an older Node could not even parse what is behind it.
  const { main } = await import("./main.ts");
  const exitCode = await main(process, manifest.version);
  // What was lost on the way is no success, however well the rest went.
  process.exitCode ||= exitCode;
}
