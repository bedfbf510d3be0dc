import { once } from "node:events";
import { servePipelineThread } from "../../../src/node/run/pipeline-thread.ts";
import { emptyReport } from "../../../src/run/empty-report.ts";

// Does what its job says. Started by pipeline-thread.test.ts.
await servePipelineThread<string>(async ({ job, signal, onEvent }) => {
  if (job === "throw") throw new Error("broken\n");
  if (job === "exit") process.exit(3);
  onEvent({ type: "planned", total: 7 });
  const keepAlive = setInterval(() => undefined, 1_000);
  if (job === "wait") await once(signal, "abort");
  if (job === "ignore") await new Promise(() => undefined);
  clearInterval(keepAlive);
  return { report: emptyReport(job === "wait" ? "stopped" : "done", job) };
});
