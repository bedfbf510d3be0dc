import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RUNTIME } from "../../../../../test/support/runtime.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { runPipeline } from "../../../src/node/run/run-pipeline.ts";
import { calibanSource } from "../../../src/node/sources/caliban-source.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import { systemClock } from "../../../src/node/system-clock.ts";
import type { PipelineReport } from "../../../src/run/pipeline-report.ts";
import { writeSessions } from "../session-files.ts";
import { type ScriptedModel, scriptedModel } from "./pipeline-fixture.ts";
import type { ProcessInput } from "./pipeline.process.ts";

const PROCESS = join(import.meta.dirname, "pipeline.process.ts");
const HOUR_MS = 3_600_000;
const MINUTES = 60_000;
/** Kills in addition to the first and the last step; at every step with FULL=1. */
const SAMPLED_KILLS = 6;
const FULL = process.env["FULL"] === "1";

describe("a process that is killed during a run", () => {
  it(
    "leaves a state that the next run completes, and nothing is learned twice",
    { timeout: 3 * MINUTES },
    async () => {
      const complete = await runProcess(await createInput());
      expect(complete.report).toMatchObject({ outcome: "done", sessionsRead: 2, generation: 1 });
      const count = complete.steps ?? 0;
      // Both phases: every call to the store, the disk, the source and the model.
      expect(count).toBeGreaterThan(60);
      const steps = killPoints(count);
      const next = async (): Promise<void> => {
        for (let step = steps.shift(); step !== undefined; step = steps.shift()) await killAt(step);
      };
      await Promise.all([next(), next()]);
    },
  );

  it(
    "gives up a session that kills its process every time, and reads the others",
    { timeout: MINUTES },
    async () => {
      const input = await createInput();
      const [killer = "", other = ""] = writeSessions(input.sessions, [
        "we use pnpm",
        "never push",
      ]);
      let kills = 0;
      for (let start = 0; start < 5; start++) {
        const aheadMs = start * HOUR_MS;
        const { isKilled } = await runProcess({ ...input, killAtSession: killer, aheadMs });
        if (isKilled) kills += 1;
      }
      expect(kills).toBe(3);
      const store = await openPipelineStore({ path: join(input.directory, "memories.sqlite") });
      const learnedFrom = store.consolidations.extractions("project", 10);
      store.close();
      expect(learnedFrom.map(({ threadId }) => threadId)).toEqual([other]);
      const generations = createGenerations({ directory: join(input.directory, "autonomous") });
      expect((await generations.read())?.memoryMd).toContain(`fact of ${other}`);
    },
  );
});

function killPoints(count: number): number[] {
  if (FULL) return Array.from({ length: count }, (_, index) => index + 1);
  const [sampled = []] = fc.sample(
    fc.uniqueArray(fc.integer({ min: 2, max: count - 1 }), {
      minLength: SAMPLED_KILLS,
      maxLength: SAMPLED_KILLS,
    }),
    1,
  );
  return [1, ...sampled, count];
}

async function killAt(killAtStep: number): Promise<void> {
  const input = await createInput();
  const { isKilled } = await runProcess({ ...input, killAtStep });
  const generations = createGenerations({ directory: join(input.directory, "autonomous") });
  const between = await generations.read();
  const model = scriptedModel();
  const { committed, report } = await runHere(input, model);
  const memory = await generations.read();
  const idle = scriptedModel();
  const second = await runHere(input, idle);
  expect({
    killAtStep,
    isKilled,
    isCompleteBetween: between === undefined || between.memoryMd.includes("- fact of"),
    askedTwice: askedAbout(model).filter((id) => committed.includes(id)),
    learnedFrom: committed.length + askedAbout(model).length,
    failed: report.sessionsFailed,
    facts: memory?.memoryMd.match(/- fact of/g)?.length,
    staleFiles: filesIn(input.directory).filter((file) => /tmp/.test(file)),
    current: readFileSync(join(input.directory, "autonomous", "current"), "utf8").trim(),
    second: second.report.outcome,
    secondRequests: idle.requests.length,
  }).toEqual({
    killAtStep,
    isKilled: true,
    isCompleteBetween: true,
    askedTwice: [],
    learnedFrom: 2,
    failed: 0,
    facts: 2,
    staleFiles: [],
    current: expect.stringMatching(/^\d+$/) as unknown,
    second: "nothing-new",
    secondRequests: 0,
  });
}

async function createInput(): Promise<ProcessInput> {
  const directory = await temporaryDirectory();
  const sessions = join(directory, "sessions");
  writeSessions(sessions, ["we use pnpm", "never push to main"]);
  return { directory, sessions };
}

interface Ended {
  readonly isKilled: boolean;
  readonly steps?: number;
  readonly report?: PipelineReport;
}

async function runProcess(input: ProcessInput): Promise<Ended> {
  const args = ["--conditions=caliban:source", PROCESS, JSON.stringify(input)];
  try {
    const { stdout } = await promisify(execFile)(RUNTIME, args);
    return { isKilled: false, ...(JSON.parse(stdout) as object) };
  } catch (error) {
    if ((error as { signal?: string }).signal === "SIGKILL") return { isKilled: true };
    throw error;
  }
}

/** The next run, an hour later, in this process. */
async function runHere(
  { directory, sessions }: ProcessInput,
  model: ScriptedModel,
): Promise<{ readonly committed: readonly string[]; readonly report: PipelineReport }> {
  const store = await openPipelineStore({ path: join(directory, "memories.sqlite") });
  try {
    const committed = store.consolidations
      .extractions("project", 100)
      .map(({ threadId }) => threadId);
    const clock = systemClock();
    const report = await runPipeline({
      project: "project",
      store,
      generations: createGenerations({ directory: join(directory, "autonomous") }),
      sources: [calibanSource({ directory: sessions })],
      model,
      clock: { ...clock, nowMs: () => clock.nowMs() + HOUR_MS },
    });
    return { committed, report };
  } finally {
    store.close();
  }
}

function askedAbout({ requests }: ScriptedModel): readonly string[] {
  return requests.flatMap(({ task }) => (task.kind === "extract" ? task.threadId : []));
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(join(directory, "autonomous"), { recursive: true, encoding: "utf8" });
}
