// `pnpm bench [NAME] [--against DIR]`: every benchmark, or one. Prints ratios within one run, because machines differ and
// are never quiet. `--against` compares with a built checkout in another directory, and fails if a row is 5 % slower.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { benchApplied } from "./applied/applied.ts";
import { benchAttack } from "./attack/attack.ts";
import { compareCheckouts } from "./compare-checkouts.ts";
import { benchFirstRequest } from "./first-request/first-request.ts";
import { benchGrowth } from "./growth/growth.ts";
import { benchHooks } from "./hooks.ts";
import type { Measurement } from "./measurement.ts";
import { benchPipeline } from "./pipeline/pipeline.ts";
import { benchPrefix } from "./prefix.ts";
import { benchPrompt } from "./prompt.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchSearch } from "./search/search.ts";
import { benchSecrets } from "./secrets.ts";
import { benchServe } from "./serve.ts";
import { benchStartup } from "./startup.ts";
import { benchTeam } from "./team/team.ts";
import { benchTopics } from "./topics.ts";

const MAX_CHANGE = 1.05;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { against: { type: "string" }, log: { type: "string" } },
});
const against = values.against === undefined ? undefined : resolve(values.against);

type Lines = readonly (Measurement | string)[];

/** Runs one that measures the code of this checkout, or the benchmarks of both checkouts in turn. */
const ofBothCheckouts = (name: string, bench: () => Promise<Lines>): (() => Promise<Lines>) =>
  against === undefined ? bench : () => compareCheckouts(name, against);

const BENCHMARKS: Readonly<Record<string, () => Promise<Lines>>> = {
  prefix: ofBothCheckouts("prefix", benchPrefix),
  startup: () => benchStartup(against),
  "first-request": () => benchFirstRequest(against),
  hooks: benchHooks,
  prompt: ofBothCheckouts("prompt", benchPrompt),
  topics: ofBothCheckouts("topics", benchTopics),
  pipeline: ofBothCheckouts("pipeline", benchPipeline),
  // Minutes long; draws the pictures of docs/performance.md.
  growth: benchGrowth,
  // These have limits of their own, and no rows to compare.
  sandbox: benchSandbox,
  // Loaded alone, because it requires the test tools.
  stores: async () => await (await import("./stores.ts")).benchStores(),
  team: benchTeam,
  serve: benchServe,
  search: () => benchSearch(values.log),
  applied: benchApplied,
  // Counts what an attacker achieves, which must be nothing.
  attack: benchAttack,
  secrets: benchSecrets,
  // Loaded alone, because it requires the test tools.
  screen: async () => await (await import("./screen.ts")).benchScreen(),
  streaming: async () => await (await import("./streaming.ts")).benchStreaming(),
  page: async () => await (await import("./page/page.ts")).benchPage(),
};

const slower: string[] = [];
for (const name of selected(positionals[0])) {
  console.log(`${name}\n`);
  for (const line of (await BENCHMARKS[name]?.()) ?? []) {
    console.log(typeof line === "string" ? line : renderMeasurement(line));
    if (typeof line !== "string" && (line.change ?? 0) > MAX_CHANGE) slower.push(line.name);
  }
  console.log();
}
if (slower.length > 0) {
  console.log(`more than ${MAX_CHANGE} × the other checkout:`);
  for (const name of slower) console.log(`  ${name}`);
  process.exitCode = 1;
}

function selected(name: string | undefined): readonly string[] {
  if (name === undefined) return Object.keys(BENCHMARKS);
  // The first request is a part of the start.
  if (name === "startup") return ["startup", "first-request"];
  if (name in BENCHMARKS) return [name];
  throw new Error(`no benchmark "${name}"; choose from ${Object.keys(BENCHMARKS).join(", ")}`);
}

function renderMeasurement({ name, value, unit, ratio, change }: Measurement): string {
  const number = value.toFixed(unit === "tokens" ? 0 : 2).padStart(8);
  const compared = ratio === undefined ? "" : `${ratio.toFixed(2).padStart(6)} ×`;
  const changed = change === undefined ? "" : `${change.toFixed(3).padStart(8)} × other`;
  return `  ${name.padEnd(58)} ${number} ${unit.padEnd(6)} ${compared.padEnd(8)}${changed}`.trimEnd();
}
