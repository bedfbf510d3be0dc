import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { clearProject, type ClearProjectInput } from "../../../src/node/project/clear-project.ts";
import { readProjectStats } from "../../../src/node/project/read-project-stats.ts";
import { runProject } from "../../../src/node/project/run-project.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../../src/run/settings.ts";
import { fakeClock } from "../../fake-clock.ts";
import { fakeSource, NOW_MS, scriptedModel, sessionWith } from "../run/pipeline-fixture.ts";

async function projectIn(root: string): Promise<ClearProjectInput> {
  const stateFile = join(root, "state/memories.sqlite");
  return { project: "p", stateFile, directory: join(root, "autonomous"), nowMs: NOW_MS };
}

async function learn(input: ClearProjectInput): Promise<number> {
  const source = fakeSource([sessionWith("a", "x")]);
  const run = { ...input, sources: [source], model: scriptedModel(), clock: fakeClock(NOW_MS) };
  return (await runProject(run)).report.sessionsRead;
}

async function statsOf(input: ClearProjectInput) {
  return await readProjectStats({
    ...input,
    sessionsDirectory: join(dirname(input.directory), "sessions"),
    settings: DEFAULT_PIPELINE_SETTINGS,
    sources: [fakeSource([]).name],
    extractor: scriptedModel().extractor,
  });
}

describe("clearProject", () => {
  it("removes what was learned, and never learns it again", async () => {
    const input = await projectIn(await temporaryDirectory());
    await learn(input);
    expect((await statsOf(input)).current).toMatchObject({ generation: 1, exists: true });
    expect(await clearProject(input)).toEqual({ hadMemory: true, sessionsLeftOut: 1 });
    const { stats, current } = await statsOf(input);
    expect(current).toBeUndefined();
    expect(stats).toMatchObject({ extractions: 0, sessions: { cleared: 1 } });
    expect(await learn(input)).toBe(0);
  });

  it("clears a memory that the state does not know of", async () => {
    const input = await projectIn(await temporaryDirectory());
    await mkdir(input.directory);
    await writeFile(join(input.directory, "current"), "1\n");
    expect(await clearProject(input)).toEqual({ hadMemory: true, sessionsLeftOut: 0 });
    expect(existsSync(join(input.directory, "current"))).toBe(false);
  });

  it("creates nothing, and neither does readProjectStats", async () => {
    const input = await projectIn(await temporaryDirectory());
    expect(await clearProject(input)).toEqual({ hadMemory: false, sessionsLeftOut: 0 });
    expect(await statsOf(input)).toEqual({ stats: undefined, current: undefined });
    expect([input.stateFile, input.directory].filter((path) => existsSync(path))).toEqual([]);
  });
});
