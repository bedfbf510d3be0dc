import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  temporaryDirectory,
  temporaryDirectoryOfFile,
} from "../../../../../test/support/temporary-directory.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { runPipeline } from "../../../src/node/run/run-pipeline.ts";
import { calibanSource } from "../../../src/node/sources/caliban-source.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import { systemClock } from "../../../src/node/system-clock.ts";
import type { PipelineReport } from "../../../src/pipeline-report.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../../src/settings.ts";
import { type ScriptedModel, scriptedModel } from "./pipeline-fixture.ts";
import type { ProcessInput } from "./pipeline.process.ts";
import { writeSessions } from "../session-files.ts";

const PROCESS = join(import.meta.dirname, "pipeline.process.ts");
const HOUR_MS = 3_600_000;
const MINUTES = 60_000;

const compiled = temporaryDirectoryOfFile();

interface Ended {
  readonly isKilled: boolean;
  readonly steps?: number;
  readonly report?: PipelineReport;
}

async function runProcess(input: ProcessInput): Promise<Ended> {
  const args = ["--conditions=caliban:source", PROCESS, JSON.stringify(input)];
  try {
    // Most of the time of such a short process goes into reading its code.
    const env = { ...process.env, NODE_COMPILE_CACHE: await compiled };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return { isKilled: false, ...(JSON.parse(stdout) as object) };
  } catch (error) {
    if ((error as { signal?: string }).signal === "SIGKILL") return { isKilled: true };
    throw error;
  }
}

/** The next start, an hour later, in this process. */
async function runHere({ directory, sessions }: ProcessInput, model: ScriptedModel) {
  const store = await openPipelineStore({ path: join(directory, "memories.sqlite") });
  try {
    const committed = store.consolidations
      .extractions("project", 100)
      .map(({ threadId }) => threadId);
    const clock = systemClock();
    const report = await runPipeline({
      project: "project",
      trigger: "now",
      store,
      generations: createGenerations({ directory: join(directory, "autonomous") }),
      sources: [calibanSource({ directory: sessions })],
      model,
      clock: { ...clock, nowMs: () => clock.nowMs() + HOUR_MS },
      settings: DEFAULT_PIPELINE_SETTINGS,
      running: [],
      worker: "test",
    });
    return { committed, report };
  } finally {
    store.close();
  }
}

function askedAbout({ requests }: ScriptedModel): readonly string[] {
  return requests.flatMap(({ task }) => (task.kind === "extract" ? task.threadId : []));
}

/** Every file under the memory's own directory but locks, for what a crash may have left behind. */
function filesOf(directory: string): readonly string[] {
  return readdirSync(join(directory, "autonomous"), { recursive: true, encoding: "utf8" });
}

async function freshPlace(): Promise<ProcessInput> {
  const directory = await temporaryDirectory();
  const sessions = join(directory, "sessions");
  writeSessions(sessions, ["we use pnpm", "never push to main"]);
  return { directory, sessions };
}

describe("a process that is killed", () => {
  it(
    "anywhere at all leaves something that the next run completes, and nothing is learned twice",
    { timeout: 3 * MINUTES },
    async () => {
      const whole = await runProcess(await freshPlace());
      expect(whole.report).toMatchObject({ outcome: "done", sessionsRead: 2, generation: 1 });
      const count = whole.steps ?? 0;
      // Both phases, every call to the store, the disk, the source and the model.
      expect(count).toBeGreaterThan(60);
      const steps = Array.from({ length: count }, (_, n) => n + 1);
      const next = async (): Promise<void> => {
        for (let at = steps.shift(); at !== undefined; at = steps.shift()) await killAt(at);
      };
      await Promise.all([next(), next(), next()]);
    },
  );

  async function killAt(killAtStep: number): Promise<void> {
    const place = await freshPlace();
    const { isKilled } = await runProcess({ ...place, killAtStep });
    const generations = createGenerations({ directory: join(place.directory, "autonomous") });
    const between = await generations.read();
    const model = scriptedModel();
    const { committed, report } = await runHere(place, model);
    const memory = await generations.read();
    const again = scriptedModel();
    const quiet = await runHere(place, again);
    expect({
      killAtStep,
      isKilled,
      between: between === undefined || between.memoryMd.includes("- fact of"),
      askedTwice: askedAbout(model).filter((id) => committed.includes(id)),
      learnedFrom: committed.length + askedAbout(model).length,
      failed: report.sessionsFailed,
      facts: memory?.memoryMd.match(/- fact of/g)?.length,
      leftBehind: filesOf(place.directory).filter((file) => /tmp/.test(file)),
      current: readFileSync(join(place.directory, "autonomous", "current"), "utf8").trim(),
      quiet: quiet.report.outcome,
      quietRequests: again.requests.length,
    }).toEqual({
      killAtStep,
      isKilled: true,
      between: true,
      askedTwice: [],
      learnedFrom: 2,
      failed: 0,
      facts: 2,
      leftBehind: [],
      current: expect.stringMatching(/^\d+$/) as unknown,
      quiet: "nothing-new",
      quietRequests: 0,
    });
  }

  it(
    "by the same session again and again gives that session up, and reads the others",
    { timeout: MINUTES },
    async () => {
      const place = await freshPlace();
      const [killer = "", other = ""] = writeSessions(place.sessions, [
        "we use pnpm",
        "never push",
      ]);
      let kills = 0;
      for (let start = 0; start < 5; start++) {
        const aheadMs = start * HOUR_MS;
        const { isKilled } = await runProcess({ ...place, killAtSession: killer, aheadMs });
        if (isKilled) kills += 1;
      }
      expect(kills).toBe(3);
      const store = await openPipelineStore({ path: join(place.directory, "memories.sqlite") });
      const learnedFrom = store.consolidations.extractions("project", 10);
      store.close();
      expect(learnedFrom.map(({ threadId }) => threadId)).toEqual([other]);
      const generations = createGenerations({ directory: join(place.directory, "autonomous") });
      expect((await generations.read())?.memoryMd).toContain(`fact of ${other}`);
    },
  );
});
