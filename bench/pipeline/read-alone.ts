// Reads and renders every session, and does nothing with it. Prints how long that took.
import { DEFAULT_PIPELINE_SETTINGS } from "../../packages/autonomous-memory/src/settings.ts";
import { calibanSource } from "../../packages/autonomous-memory/src/node/sources/caliban-source.ts";
import { readTurns } from "../../packages/autonomous-memory/src/node/transcript/read-turns.ts";
import { redactText } from "../../packages/autonomous-memory/src/node/transcript/redact-text.ts";
import { fitTranscript } from "../../packages/autonomous-memory/src/transcript/fit-transcript.ts";

const [directory = ""] = process.argv.slice(2);
const { rolloutTokenLimit } = DEFAULT_PIPELINE_SETTINGS;
const source = calibanSource({ directory });
const started = performance.now();
let characters = 0;
// oxlint-disable no-await-in-loop -- one session in memory at a time
for (const file of (await source.list()).files) {
  const { turns } = await readTurns(source.messages(file), { maxBytes: rolloutTokenLimit * 4 });
  characters += (await redactText(fitTranscript(turns, rolloutTokenLimit).text)).text.length;
}
// oxlint-enable no-await-in-loop
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, characters, megabytes: process.resourceUsage().maxRSS / 1024 }));
