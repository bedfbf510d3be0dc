import { describe, expect, it } from "vitest";
import { type PipelineThread, startPipelineThread } from "../../../src/node/run/pipeline-thread.ts";
import type { PipelineEvent } from "../../../src/run/pipeline-report.ts";

function start(job: string, onEvent?: (event: PipelineEvent) => void): PipelineThread {
  return startPipelineThread({
    file: new URL("pipeline-thread.worker.ts", import.meta.url).href,
    job,
    env: { LEFT_OUT: undefined },
    execArgv: ["--no-warnings", "--conditions=caliban:source"],
    onEvent,
    isAwaited: true,
  });
}

describe("startPipelineThread", () => {
  it("passes on the events and the end of the job", async () => {
    const events: PipelineEvent[] = [];
    const { end } = start("run", (event) => events.push(event));
    expect((await end).report).toMatchObject({ outcome: "done", reason: "run" });
    expect(events).toEqual([{ type: "planned", total: 7 }]);
  });

  it("lets the job end when it is stopped", async () => {
    const started = Promise.withResolvers<unknown>();
    const thread = start("wait", started.resolve);
    await started.promise;
    await thread.stop();
    expect((await thread.end).report.outcome).toBe("stopped");
  });

  it("reports a job as interrupted that does not end when it is stopped", async () => {
    const started = Promise.withResolvers<unknown>();
    const thread = start("ignore", started.resolve);
    await started.promise;
    await thread.stop();
    expect((await thread.end).report).toMatchObject({
      outcome: "stopped",
      reason: "interrupted by you",
      reasonCode: "INTERRUPTED",
    });
  });

  it.for([
    ["throw", "its thread crashed, which is a bug in caliban: broken\\u{a}"],
    ["exit", "its thread ended early (exit code 3)"],
  ] as const)("reports a thread that ends by %s as a failed run", async ([job, reason]) => {
    const { report } = await start(job).end;
    expect(report).toMatchObject({ outcome: "failed", reason, reasonCode: "CRASHED" });
  });
});
