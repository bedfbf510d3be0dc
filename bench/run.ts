// `pnpm bench`: every benchmark, as ratios within one run, because machines differ and are never quiet.
import { benchStartup } from "./startup.ts";

const BENCHMARKS = { startup: benchStartup } as const;

for (const [name, bench] of Object.entries(BENCHMARKS)) {
  console.log(`${name}\n`);
  for (const { name: what, medianMs, ratio } of bench()) {
    console.log(
      `  ${what.padEnd(20)} ${medianMs.toFixed(1).padStart(7)} ms  ${ratio.toFixed(2).padStart(6)} ×`,
    );
  }
  console.log();
}
