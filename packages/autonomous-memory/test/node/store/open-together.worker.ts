import { workerData } from "node:worker_threads";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";

// Opens one store after another at the same time as the other workers. Started by open-together.test.ts.
const { paths, gate, workers } = workerData as {
  readonly paths: readonly string[];
  readonly gate: Int32Array;
  readonly workers: number;
};
for (const [round, path] of paths.entries()) {
  const everybody = (round + 1) * workers;
  Atomics.add(gate, 0, 1);
  while (Atomics.load(gate, 0) < everybody) Atomics.wait(gate, 1, 0, 0.05);
  const store = await openPipelineStore({ path });
  store.admin.enqueue("p", 1);
  store.close();
}
