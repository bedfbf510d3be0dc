import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { NO_OPTIONS } from "../../src/command.ts";
import { openProject } from "../../src/project/project.ts";
import { planJob } from "../../src/pipeline/plan-job.ts";
import type { RunLine } from "@caliban/autonomous-memory";
import { startPipeline } from "../../src/pipeline/start-pipeline.ts";
import { machineWithPast } from "./past-sessions.ts";
import { SHIP } from "./with-model.ts";

const STATE = ".local/state/caliban/memories.sqlite";

describe("startPipeline", () => {
  it("learns nothing from the current conversation", async () => {
    const { host, caliban } = await machineWithPast([SHIP]);
    const lines: RunLine[] = [];
    const invocation = { ...NO_OPTIONS, host };
    const say = (line: RunLine): void => void lines.push(line);
    const worker = await startPipeline({ invocation, sessionId: SHIP.id, say });
    expect((await worker?.end)?.report).toMatchObject({ outcome: "nothing-new", sessionsRead: 0 });
    expect(lines).toEqual([]);
    expect((await caliban("memory", "view")).stdout).toBe("");
  });

  it.for([{ bare: true }, { memory: false }])("starts nothing with %j", async (flags) => {
    const { host, home } = await machineWithPast([SHIP]);
    // Loading settings would fail without a working directory.
    for (const cwd of [host.cwd, undefined]) {
      const invocation = { ...NO_OPTIONS, ...flags, host: { ...host, cwd } };
      const say = ({ text }: RunLine): void => expect.fail(text);
      expect(await startPipeline({ invocation, sessionId: "s", say })).toBeUndefined();
    }
    expect(existsSync(join(home, STATE))).toBe(false);
  });

  it("never keeps the process alive", async () => {
    const { host } = await machineWithPast([SHIP]);
    const project = await openProject({ ...NO_OPTIONS, host });
    const job = planJob({ project, trigger: "start" });
    const script = `
      import { startWorker } from ${JSON.stringify(new URL("../../src/pipeline/start-worker.ts", import.meta.url))};
      let hasWaited = false;
      startWorker({ job: ${JSON.stringify(job)}, isAwaited: false }).end.then(() => { hasWaited = true; });
      process.on("exit", () => console.log(hasWaited ? "waited" : "went"));`;
    const args = ["--conditions=caliban:source", "--input-type=module", "--eval", script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe("went\n");
  });
});
