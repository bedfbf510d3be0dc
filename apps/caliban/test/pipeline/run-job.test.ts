import { existsSync } from "node:fs";
import { readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "@caliban/common/node";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../../../test/support/write-files.ts";
import { NO_OPTIONS } from "../../src/command.ts";
import { openProject } from "../../src/project/project.ts";
import type { ProjectRun } from "@caliban/autonomous-memory";
import type { PipelineJob } from "../../src/pipeline/plan-job.ts";
import { type PlanJobInput, planJob } from "../../src/pipeline/plan-job.ts";
import { runJob } from "../../src/pipeline/run-job.ts";
import type { Machine } from "../fake-host.ts";
import { machineWithPast } from "./past-sessions.ts";
import { EXTRACTED, learnsToShip, SHIP, withModel } from "./with-model.ts";

const KEY = "zebra-lantern-orchard";

async function jobOf({ host }: Machine, more: Partial<PlanJobInput> = {}): Promise<PipelineJob> {
  const project = await openProject({ ...NO_OPTIONS, host });
  return planJob({ project, trigger: "start", ...more });
}

/** Runs a job in this thread. */
async function run(job: PipelineJob): Promise<ProjectRun> {
  const { signal } = new AbortController();
  return await runJob({ job, signal, onEvent: () => undefined });
}

describe("planJob", () => {
  it("uses the settings, and all sessions when the user waits", async () => {
    const at = await withModel([], {
      more: "max_rollouts_per_startup = 3\nmax_raw_memories = 7\n",
    });
    const { settings } = await jobOf(at);
    expect(settings).toMatchObject({ maxRolloutsPerStartup: 3, maxRawMemories: 7 });
    const waited = await jobOf(at, { trigger: "now" });
    expect(waited.settings.maxRolloutsPerStartup).toBeGreaterThan(100_000);
    expect(waited.settings.maxRawMemories).toBe(7);
  });
});

describe("runJob", () => {
  it("skips a session that another process has open", async () => {
    const at = await withModel(learnsToShip);
    const job = await jobOf(at);
    const path = join(at.directory, "sessions", `${SHIP.id}.jsonl`);
    await withFileLock(path, async () => {
      const { report, counts } = await run(job);
      expect(report).toMatchObject({ outcome: "nothing-new", sessionsRead: 0 });
      expect(counts).toMatchObject({ due: 0, tooRecent: 1 });
      expect((await at.caliban("memory", "stats")).stdout).not.toContain("1 to be read");
    });
    expect(at.requests()).toBe(0);
    expect((await at.caliban("memory", "stats")).stdout).toContain("1 to be read");
    expect((await run(job)).report).toMatchObject({ outcome: "done", sessionsRead: 1 });
  });

  it("writes the project record before the first memory", async () => {
    const at = await machineWithPast([SHIP]);
    const record = join(at.directory, "project.json");
    const job = await jobOf(at);
    await run({ ...job, running: [SHIP.id] });
    expect(existsSync(record)).toBe(false);
    expect((await run(job)).report.generation).toBe(1);
    expect(JSON.parse(await readFile(record, "utf8"))).toMatchObject({
      path: join(at.home, "app"),
    });
  });

  it("consolidates everything again only for a rebuild", async () => {
    const at = await withModel(learnsToShip);
    await run(await jobOf(at));
    expect(at.requests()).toBe(2);
    expect((await run(await jobOf(at, { trigger: "now" }))).report.outcome).toBe("nothing-new");
    expect(at.requests()).toBe(2);
    const rebuild = await run(await jobOf(at, { trigger: "now", isRebuild: true }));
    expect(rebuild.report).toMatchObject({ outcome: "done", sessionsRead: 0 });
    expect(at.requests()).toBe(3);
  });

  it("reports why the previous run failed, without revealing the key", async () => {
    let isDown = true;
    const refusal = { status: 401, error: `not with ${KEY}` };
    const before = await withModel((request) => (isDown ? refusal : learnsToShip(request)), {
      provider: 'api_key_env = "ACME_KEY"\n',
    });
    const at = before.with({ env: { HOME: before.home, ACME_KEY: KEY } });
    const job = await jobOf(at);
    const failed = await run(job);
    expect(failed).toMatchObject({ report: { outcome: "failed" }, lastFailure: undefined });
    expect(failed.report.reason).toContain("not with");
    expect(failed.report.reason).not.toContain(KEY);
    isDown = false;
    const next = await run(await jobOf(at, { trigger: "now" }));
    expect(next).toMatchObject({ report: { outcome: "done" }, lastFailure: failed.report.reason });
    expect((await run(job)).lastFailure).toBeUndefined();
  });
});

describe("runJob with a model that drops what topics expect", () => {
  it.for([
    ["", "rejected"],
    ['supersedes: ["ship"]\n', "accepted"],
  ] as const)("asks the expected answers of topics (%j): %s", async ([replaced, outcome]) => {
    let memory = "- Deploy with pnpm ship.\\n- Ports: 5433 for tests.";
    const at = await withModel(({ text }) =>
      text.includes("raw_memory")
        ? { text: EXTRACTED }
        : { text: `{"memory_md":"${memory}","memory_summary":"${memory}","skills":[]}` },
    );
    const topic = (name: string, field: string): string =>
      `---\nname: ${name}\ndescription: x\n${field}metadata:\n  type: project\n---\n\nText.\n`;
    await writeFiles(join(at.directory, "memory"), {
      "ship.md": topic("ship", 'expect: ["Which ports do tests use? 5433"]\n'),
      "other.md": topic("other", replaced),
    });
    expect((await run(await jobOf(at))).report.generation).toBe(1);
    memory = "- Deploy with pnpm ship.";
    const rebuilt = await run(await jobOf(at, { trigger: "now", isRebuild: true }));
    expect(rebuilt.report.generation).toBe(outcome === "accepted" ? 2 : undefined);
    const [stats, view] = [await at.caliban("memory", "stats"), await at.caliban("memory", "view")];
    const path = "autonomous/generations/rejected/2/REJECTED.md";
    expect(stats.stdout.includes(path)).toBe(outcome === "rejected");
    expect(view.stderr.includes(path)).toBe(outcome === "rejected");
  });
});

const UUID = "019a0000-0000-7000-8000-000000000001";

describe("runJob with sessions of other agents", () => {
  it("reads them only if the user chose them", async () => {
    const at = await withModel(learnsToShip, { past: [] });
    const cwd = join(at.home, "app");
    const claude = `.claude/projects/${cwd.replaceAll(/[^a-z0-9]/gi, "-")}/${UUID}.jsonl`;
    const codex = `.codex/sessions/2026/11/10/rollout-2026-11-10T10-00-00-${UUID}.jsonl`;
    const content = [{ type: "input_text", text: "Never use jest." }];
    await writeFiles(at.home, {
      [claude]: lines({
        type: "user",
        sessionId: UUID,
        cwd,
        timestamp: "2026-11-10T10:00:00.000Z",
        message: { role: "user", content: "Never use mocha." },
      }),
      [codex]: lines(
        { type: "session_meta", payload: { id: UUID, cwd } },
        { type: "response_item", payload: { type: "message", role: "user", content } },
      ),
    });
    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
    for (const name of [claude, codex]) await utimes(join(at.home, name), twoDaysAgo, twoDaysAgo);
    const job = await jobOf(at);
    expect(job.sources).toEqual(["caliban"]);
    expect((await run(job)).report).toMatchObject({ outcome: "nothing-new" });
    expect(at.requests()).toBe(0);
    await run({ ...job, sources: ["claude"] });
    expect(at.asked()).toContain("mocha");
    expect(at.asked()).not.toContain("jest");
    await run({ ...job, sources: ["codex"] });
    expect(at.asked()).toContain("jest");
  });
});

describe("runJob with a session that read memory", () => {
  it.for([
    ["absolutely", (home: string) => join(home, "notes/deploy.md")],
    ["with a tilde", () => "~/notes/deploy.md"],
  ] as const)(
    "learns nothing again from a memory directory that is named %s",
    async ([, pathIn]) => {
      const at = await withModel(learnsToShip, { more: '\n[memory]\ndirectory = "~/notes"\n' });
      await addReading(at.directory, pathIn(at.home), "ships on Fridays");
      await addReading(at.directory, join(at.home, "app/deploy.md"), "ships on Mondays");
      expect((await run(await jobOf(at))).report.sessionsRead).toBe(1);
      expect(at.asked()).toContain("ships on Mondays");
      expect(at.asked()).not.toContain("ships on Fridays");
    },
  );
});

/** Appends a call that reads a file to the session. */
async function addReading(directory: string, path: string, text: string): Promise<void> {
  const file = join(directory, "sessions", `${SHIP.id}.jsonl`);
  const call = { type: "tool-call", id: "c", name: "Read", input: { file_path: path } };
  const at = new Date(Date.now() - 48 * 3_600_000);
  const more = lines(
    {
      type: "message",
      id: `${text} 1`,
      at,
      message: { role: "assistant", model: "m/m", parts: [call] },
    },
    {
      type: "message",
      id: `${text} 2`,
      at,
      message: { role: "tool", results: [{ id: "c", name: "Read", text, isError: false }] },
    },
  );
  await writeFiles(directory, {
    [`sessions/${SHIP.id}.jsonl`]: (await readFile(file, "utf8")) + more,
  });
  await utimes(file, at, at);
}

function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
