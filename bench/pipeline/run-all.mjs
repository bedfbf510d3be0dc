// Runs the whole pipeline with the built package and an HTTP model, in a thread with the limits that the program sets.
// Prints how long that takes.
import { join } from "node:path";
import { peakMegabytes } from "./peak-megabytes.mjs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

if (isMainThread) {
  const [directory, storage, url, limits = "{}"] = process.argv.slice(2);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { directory, storage, url },
    resourceLimits: JSON.parse(limits),
  });
  worker.on("message", (result) => {
    console.log(JSON.stringify({ ...result, megabytes: peakMegabytes() }));
  });
} else {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of Node, not a window
  parentPort?.postMessage(await run(workerData));
}

/** @param {{ directory: string, storage: string, url: string }} input */
async function run({ directory, storage, url }) {
  // Imported only in the thread, because the program does not load it in its main thread.
  const { DEFAULT_PIPELINE_SETTINGS } = await import(built("index.js"));
  const { calibanSource, createGenerations, openPipelineStore, runPipeline, systemClock } =
    await import(built("node/index.js"));
  const started = performance.now();
  const store = await openPipelineStore({ path: join(storage, "memories.sqlite") });
  const report = await runPipeline({
    project: "bench",
    trigger: "now",
    store,
    generations: createGenerations({ directory: join(storage, "autonomous") }),
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
    // No budget, so that all sessions are read in one run.
    settings: { ...DEFAULT_PIPELINE_SETTINGS, dailyTokenBudget: 0 },
    running: [],
    worker: "bench",
  });
  store.close();
  return { report, ms: performance.now() - started };
}

/** @param {string} name Imported by URL, because the file does not exist before a build. */
function built(name) {
  return new URL(`../../packages/autonomous-memory/dist/${name}`, import.meta.url).href;
}
