// Runs the whole pipeline with the built package and a model behind HTTP, in a thread with the limits that the program
// gives it. Prints how long that took.
import { join } from "node:path";
import { peakMegabytes } from "./peak-megabytes.mjs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

if (isMainThread) {
  const [directory, place, url, limits = "{}"] = process.argv.slice(2);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { directory, place, url },
    resourceLimits: JSON.parse(limits),
  });
  worker.on("message", (ran) => {
    console.log(JSON.stringify({ ...ran, megabytes: peakMegabytes() }));
  });
} else {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of Node, and no window
  parentPort?.postMessage(await run(workerData));
}

/** @param {{ directory: string, place: string, url: string }} input */
async function run({ directory, place, url }) {
  // Only in the thread: the program has none of it on its main one.
  const { DEFAULT_PIPELINE_SETTINGS } = await import(built("index.js"));
  const { calibanSource, createGenerations, openPipelineStore, runPipeline, systemClock } =
    await import(built("node/index.js"));
  const started = performance.now();
  const store = await openPipelineStore({ path: join(place, "memories.sqlite") });
  const report = await runPipeline({
    project: "bench",
    trigger: "now",
    store,
    generations: createGenerations({ directory: join(place, "autonomous") }),
    sources: [calibanSource({ directory })],
    model: {
      /** @param {{ system: string, input: string, signal: AbortSignal }} request */
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
  store.close();
  return { report, ms: performance.now() - started };
}

/** @param {string} name By an address, because there is nothing at it before a build. */
function built(name) {
  return new URL(`../../packages/autonomous-memory/dist/${name}`, import.meta.url).href;
}
