// Reads and renders every session with the built package, and prints how long that takes.
import { peakMegabytes } from "./peak-megabytes.mjs";

const { DEFAULT_PIPELINE_SETTINGS, fitTranscript } = await import(built("index.js"));
const { calibanSource, readTurns, redactText } = await import(built("node/index.js"));

const [directory = ""] = process.argv.slice(2);
const { rolloutTokenLimit } = DEFAULT_PIPELINE_SETTINGS;
const source = calibanSource({ directory });
const started = performance.now();
let characters = 0;
// One session in memory at a time.
for (const file of (await source.list()).files) {
  const { turns } = await readTurns(source.messages(file), { maxBytes: rolloutTokenLimit * 4 });
  const { text } = await redactText(fitTranscript(turns, rolloutTokenLimit).text);
  characters += text.length;
}
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, characters, megabytes: peakMegabytes() }));

/** @param {string} name Imported by URL, because the file does not exist before a build. */
function built(name) {
  return new URL(`../../packages/autonomous-memory/dist/${name}`, import.meta.url).href;
}
