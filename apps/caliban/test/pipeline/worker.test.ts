import { describe, expect, it } from "vitest";
import { NO_OPTIONS } from "../../src/command.ts";
import { openProject } from "../../src/project/project.ts";
import type { PipelineJob } from "../../src/pipeline/plan-job.ts";
import { planJob } from "../../src/pipeline/plan-job.ts";
import type { RunLine } from "@caliban/autonomous-memory";
import { startPipeline } from "../../src/pipeline/start-pipeline.ts";
import { startWorker } from "../../src/pipeline/start-worker.ts";
import { atPrompt } from "../../src/commands/chat/slash/captured-run.ts";
import type { Machine } from "../fake-host.ts";
import { ENABLED, machineWithPast } from "./past-sessions.ts";
import { CONSOLIDATED, EXTRACTED, learnsToShip, SHIP, withModel } from "./with-model.ts";

async function jobOf({ host }: Machine): Promise<PipelineJob> {
  const project = await openProject({ ...NO_OPTIONS, host });
  return planJob({ project, trigger: "now" });
}

/** The lines on the screen. */
async function linesOf({ host }: Machine): Promise<readonly RunLine[]> {
  const lines: RunLine[] = [];
  const worker = await startPipeline({
    invocation: { ...NO_OPTIONS, host: atPrompt(host) },
    sessionId: "20261116-100000-zzzz",
    say: (line) => void lines.push(line),
  });
  await worker?.end;
  await worker?.stop();
  return lines;
}

describe("startWorker", () => {
  it("releases its claims when it is stopped", async () => {
    const at = await withModel(() => ({ hang: true }));
    const worker = startWorker({ job: await jobOf(at), isAwaited: true });
    await expect.poll(at.requests, { timeout: 10_000 }).toBe(1);
    await worker.stop();
    expect((await worker.end).report.outcome).toBe("stopped");
    const { stdout } = await at.caliban("memory", "stats");
    expect(stdout).toMatch(/^last run .*stopped/m);
    expect(stdout).toMatch(/^sessions +1 to be read$/m);
  });
});

describe("caliban memory rebuild --now with a model", () => {
  it("retries sessions at once that could not be read a moment ago", async () => {
    let isDown = true;
    const at = await withModel(({ text }) => {
      if (isDown) return { status: 503, error: "overloaded" };
      return { text: text.includes("raw_memory") ? EXTRACTED : CONSOLIDATED };
    });
    const failed = await at.caliban("memory", "rebuild", "--now");
    expect(failed.exitCode).toBe(1);
    expect(failed.stdout).toContain("1 session could not be read (caliban memory stats)\n");
    expect(failed.stdout).toContain(
      "not read: 1 waiting to be retried (retry failed ones with: caliban memory retry)\n",
    );
    isDown = false;
    expect((await at.caliban("memory", "rebuild", "--now")).stdout).toContain("read 1 session;");
  });

  it("reports a session that could not be read, although the rest succeeded", async () => {
    const odd = { id: "20261111-100000-bbbb", said: "Never use quux." };
    const at = await withModel(
      ({ text }) => {
        if (text.includes("quux")) return { text: "no JSON" };
        return { text: text.includes("raw_memory") ? EXTRACTED : CONSOLIDATED };
      },
      { past: [SHIP, odd] },
    );
    const { exitCode, stdout } = await at.caliban("memory", "rebuild", "--now");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("read 1 session; new sessions use generation 1");
    expect(stdout).toContain("\n1 session could not be read (caliban memory stats)\n");
  });

  it("makes doctor report a run that exceeded the budget", async () => {
    const at = await withModel(() => ({ text: EXTRACTED }), { more: "daily_token_budget = 1\n" });
    await at.caliban("memory", "rebuild", "--now");
    expect((await at.caliban("doctor")).stdout).toMatch(
      /^\S learning .*[Tt]he last run was skipped: the daily budget of 1 tokens is used up/m,
    );
  });
});

describe("startPipeline with a model", () => {
  it("reports what was learned once, and sends no request without anything new", async () => {
    const at = await withModel(learnsToShip);
    expect(await linesOf(at)).toEqual([
      {
        tone: "good",
        text: "memory: learned from 1 session; available in the next session (/memory view)",
      },
    ]);
    expect(at.requests()).toBe(2);
    expect(await linesOf(at)).toEqual([]);
    expect(at.requests()).toBe(2);
    expect((await at.caliban("memory", "view")).stdout).toContain("Deploy with pnpm ship.");
  });

  it("reports that the small model is not available, and uses the default one", async () => {
    const at = await machineWithPast(
      [SHIP],
      `${ENABLED}\n[models]\nsmol = "anthropic/claude-haiku-5-5"\n`,
    );
    const [notice, line] = await linesOf(at);
    expect(notice?.text).toMatch(
      /^memory: models\.smol is not available; using offline\/rehearsal instead/,
    );
    expect(line?.text).toContain("learned from 1 session");
  });

  it("reports a failure and where to look", async () => {
    const at = await withModel(() => ({ status: 401, error: "who are you?" }));
    const [line] = await linesOf(at);
    expect(line).toMatchObject({
      tone: "bad",
      text: expect.stringMatching(
        /^memory: learning from past sessions failed: .*\(\/memory stats\)$/,
      ),
    });
  });

  it("starts nothing when it is off, and reports it only if the settings enable it", async () => {
    expect(await linesOf(await machineWithPast([SHIP], ""))).toEqual([]);
    const at = await machineWithPast([SHIP], `${ENABLED}\n[memory]\nauto = false\n`);
    const [line, ...more] = await linesOf(at);
    expect(line?.text).toMatch(
      /^memory: not learning from past sessions: .*settings\.toml.* \(\/memory stats\)$/,
    );
    expect(more).toEqual([]);
  });
});
