import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { PipelineError } from "../../../src/run/errors.ts";
import type { PipelineEvent } from "../../../src/run/pipeline-report.ts";
import {
  runProject,
  type RunProjectInput,
  skipProjectRun,
} from "../../../src/node/project/run-project.ts";
import { fakeClock } from "../../fake-clock.ts";
import { fakeSource, NOW_MS, scriptedModel, sessionWith } from "../run/pipeline-fixture.ts";

async function projectInput(): Promise<RunProjectInput> {
  const root = await temporaryDirectory();
  return {
    project: "project",
    stateFile: join(root, "state/memories.sqlite"),
    directory: join(root, "autonomous"),
    sources: [fakeSource([sessionWith("a", "x")])],
    model: scriptedModel(),
    clock: fakeClock(NOW_MS),
  };
}

describe("runProject", () => {
  it("learns from the sessions of a project, and counts them", async () => {
    const input = await projectInput();
    const { report, counts, lastFailure } = await runProject(input);
    expect(report).toMatchObject({ outcome: "done", sessionsRead: 1, generation: 1 });
    expect(counts).toMatchObject({ due: 0, upToDate: 1 });
    expect(lastFailure).toBeUndefined();
  });

  it("prepares the directory before the first generation, and not without one", async () => {
    const input = await projectInput();
    const prepared: boolean[] = [];
    const prepareDirectory = async (): Promise<void> => {
      prepared.push(existsSync(input.directory));
    };
    await runProject({ ...input, sources: [fakeSource([])], prepareDirectory });
    expect(prepared).toEqual([]);
    await runProject({ ...input, prepareDirectory });
    expect(prepared).toEqual([false]);
  });

  it("consolidates everything again for a rebuild, and nothing otherwise", async () => {
    const input = await projectInput();
    await runProject(input);
    expect((await runProject(input)).report.outcome).toBe("nothing-new");
    const rebuilt = await runProject({ ...input, isRebuild: true });
    expect(rebuilt.report).toMatchObject({ outcome: "done", sessionsRead: 0, generation: 2 });
  });

  it("reports why the previous run failed", async () => {
    const input = await projectInput();
    const extract = (): never => {
      throw new PipelineError("SETUP", "set X_API_KEY");
    };
    await runProject({ ...input, model: scriptedModel({ extract }) });
    expect(await runProject(input)).toMatchObject({
      report: { outcome: "done" },
      lastFailure: "set X_API_KEY",
    });
  });

  it("retries a waiting session at once only when the user waits", async () => {
    const input = await projectInput();
    const extract = (): never => {
      throw new PipelineError("TRANSIENT", "overloaded");
    };
    await runProject({ ...input, model: scriptedModel({ extract }) });
    const inBackground = await runProject({ ...input, trigger: "start" });
    expect(inBackground.report.sessionsRead).toBe(0);
    expect((await runProject({ ...input, trigger: "now" })).report.sessionsRead).toBe(1);
  });

  it("rejects a missing argument by name", async () => {
    const { directory: _, ...input } = await projectInput();
    await expect(runProject(input as RunProjectInput)).rejects.toThrow(
      'runProject: "directory" is required',
    );
  });
});

describe("skipProjectRun", () => {
  it("records that nothing was done, and why", async () => {
    const input = await projectInput();
    const events: PipelineEvent[] = [];
    const skipped = await skipProjectRun({
      ...input,
      reason: "no model",
      reasonCode: "NO_MODEL",
      onEvent: (event) => events.push(event),
    });
    expect(skipped).toMatchObject({
      report: { outcome: "skipped", reason: "no model", reasonCode: "NO_MODEL" },
    });
    expect(events).toEqual([]);
    expect((await runProject(input)).lastFailure).toBeUndefined();
  });
});
