// `pnpm fuzz [TARGET] [--seconds 60] [--seed 1]`: runs every parser of foreign text, or one, under a fuzzer that coverage
// guides. Prints each finding as a string for a test, and fails if there is one.
import { parseArgs } from "node:util";
import { startCoverage } from "./fuzz/coverage.ts";
import { fuzz } from "./fuzz/engine.ts";
import { TARGETS } from "./fuzz/targets.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
const [name] = positionals;
const targets = TARGETS.filter((target) => name === undefined || target.name === name);
if (targets.length === 0) {
  const names = TARGETS.map((target) => target.name).join(", ");
  throw new Error(`no target "${name}"; choose from ${names}`);
}
const takeCoverage = startCoverage();
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
for (const target of targets) {
  const { runs, blocks, kept, findings } = await fuzz(target, { takeCoverage, seconds, seed });
  const counts = `${runs} runs, ${blocks} blocks, ${kept} inputs kept, ${findings.length} findings`;
  console.log(`${target.name}: ${counts}`);
  for (const { problem, text } of findings) {
    console.log(`  ${problem}\n    ${JSON.stringify(text)}`);
    process.exitCode = 1;
  }
}
