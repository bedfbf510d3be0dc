// `pnpm bench [name]`: every benchmark, or one, as ratios within one run, because machines differ and are never quiet.
import { benchPrefix } from "./prefix.ts";
import { benchStartup } from "./startup.ts";
import { benchTopics } from "./topics.ts";

const BENCHMARKS = { prefix: benchPrefix, startup: benchStartup, topics: benchTopics } as const;

const [wanted] = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHMARKS)) {
  if (wanted !== undefined && wanted !== name) continue;
  console.log(`${name}\n`);
  // oxlint-disable-next-line no-await-in-loop -- one after the other, or they would disturb each other
  for (const { name: what, medianMs, ratio } of await bench()) {
    console.log(
      `  ${what.padEnd(44)} ${medianMs.toFixed(2).padStart(8)} ms  ${ratio.toFixed(2).padStart(6)} ×`,
    );
  }
  console.log();
}
