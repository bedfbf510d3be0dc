// Runs the whole pipeline on a directory of sessions, with a model behind HTTP. Prints how long that took.
import { join } from "node:path";
import { createGenerations } from "../../packages/autonomous-memory/src/node/generations/create-generations.ts";
import { runPipeline } from "../../packages/autonomous-memory/src/node/run-pipeline.ts";
import { calibanSource } from "../../packages/autonomous-memory/src/node/sources/caliban-source.ts";
import { openPipelineStore } from "../../packages/autonomous-memory/src/node/store/open-pipeline-store.ts";
import { systemClock } from "../../packages/autonomous-memory/src/node/system-clock.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../packages/autonomous-memory/src/settings.ts";

const [directory = "", place = "", url = ""] = process.argv.slice(2);
const started = performance.now();
const store = await openPipelineStore({ path: join(place, "memories.sqlite") });
const report = await runPipeline({
  project: "bench",
  trigger: "now",
  store,
  generations: createGenerations({ directory: join(place, "autonomous") }),
  sources: [calibanSource({ directory })],
  model: {
    complete: async ({ system, input, signal }) => {
      const body = JSON.stringify({ system, input });
      return { text: await (await fetch(url, { method: "POST", body, signal })).text() };
    },
    contextWindow: () => 200_000,
    extractor: { id: "model/1", replaces: [] },
  },
  clock: systemClock(),
  // All of it in one day.
  settings: { ...DEFAULT_PIPELINE_SETTINGS, dailyTokenBudget: 0 },
  running: [],
  worker: "bench",
});
const ms = performance.now() - started;
store.close();
console.log(JSON.stringify({ ms, report, megabytes: process.resourceUsage().maxRSS / 1024 }));
