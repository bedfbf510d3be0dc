// `pnpm bench [name]`: every benchmark, or one, as ratios within one run, because machines differ and are never quiet.
import { benchFirstRequest } from "./first-request/first-request.ts";
import type { Measured } from "./measured.ts";
import { benchPipeline } from "./pipeline/pipeline.ts";
import { benchPrefix } from "./prefix.ts";
import { benchPrompt } from "./prompt.ts";
import { benchSearch } from "./search/search.ts";
import { benchStartup } from "./startup.ts";
import type { Timing } from "./timing.ts";
import { benchTopics } from "./topics.ts";

const BENCHMARKS = {
  prefix: benchPrefix,
  startup: benchStartup,
  "first-request": benchFirstRequest,
  prompt: benchPrompt,
  topics: benchTopics,
  pipeline: benchPipeline,
  search: benchSearch,
} as const;

const [wanted, ...options] = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHMARKS)) {
  // The first request is a part of the start.
  if (
    wanted !== undefined &&
    wanted !== name &&
    !(wanted === "startup" && name === "first-request")
  )
    continue;
  console.log(`${name}\n`);
  // oxlint-disable-next-line no-await-in-loop -- one after the other, or they would disturb each other
  for (const line of await bench(options)) console.log(rendered(line));
  console.log();
}

function rendered(line: Timing | Measured | string): string {
  if (typeof line === "string") return line;
  const { name, ratio } = line;
  const [value, unit] = "unit" in line ? [line.value, line.unit] : [line.medianMs, "ms"];
  const number = value.toFixed(unit === "tokens" ? 0 : 2).padStart(8);
  const compared = ratio === undefined ? "" : `${ratio.toFixed(2).padStart(6)} ×`;
  return `  ${name.padEnd(58)} ${number} ${unit.padEnd(6)} ${compared}`;
}
