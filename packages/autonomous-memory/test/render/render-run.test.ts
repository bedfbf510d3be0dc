import { describe, expect, it } from "vitest";
import { renderFailure, renderRun, renderRunLine } from "../../src/render/render-run.ts";
import { emptyReport } from "../../src/run/empty-report.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../src/run/settings.ts";
import type { ProjectRun } from "../../src/store/pipeline-stats.ts";
import { COMMANDS, NO_SESSIONS } from "./render-fixture.ts";

const DONE = { ...emptyReport("done", ""), reason: undefined };

const CASES: readonly (readonly [string, ProjectRun, string | undefined])[] = [
  ["nothing new", { report: emptyReport("nothing-new", "") }, undefined],
  ["sessions in which nothing was durable", { report: { ...DONE, sessionsRead: 4 } }, undefined],
  [
    "a new generation",
    { report: { ...DONE, sessionsRead: 3, generation: 2 } },
    "memory: learned from 3 sessions; available in the next session (mem view)",
  ],
  [
    "one session",
    { report: { ...DONE, sessionsRead: 1, generation: 2 } },
    "memory: learned from 1 session; available in the next session (mem view)",
  ],
  [
    "a rebuild",
    { report: { ...DONE, generation: 2 } },
    "memory: updated; available in the next session (mem view)",
  ],
  [
    "a failure",
    { report: emptyReport("failed", "the key is wrong.") },
    "memory: learning from past sessions failed: the key is wrong (mem stats)",
  ],
  [
    "a failure without a reason",
    { report: emptyReport("failed", "") },
    "memory: learning from past sessions failed: unknown reason (mem stats)",
  ],
  [
    "a skipped run",
    { report: emptyReport("skipped", "the daily budget is used up") },
    "memory: past sessions were not read: the daily budget is used up (mem stats)",
  ],
  [
    "a run that stopped",
    { report: emptyReport("stopped", "the daily budget is used up") },
    "memory: learning from past sessions stopped: the daily budget is used up (mem stats)",
  ],
  [
    "a failure of the previous run",
    { report: emptyReport("nothing-new", ""), lastFailure: "the key is wrong" },
    "memory: learning from past sessions failed last time: the key is wrong (mem stats)",
  ],
  [
    "a failure of the previous run that was fixed",
    { report: { ...DONE, sessionsRead: 1 }, lastFailure: "the key is wrong" },
    undefined,
  ],
];

describe("renderRunLine", () => {
  it.for(CASES)("reports %s", ([, end, text]) => {
    expect(renderRunLine(end, { commands: COMMANDS })?.text).toBe(text);
  });

  it("omits what a notice already reported", () => {
    const lastFailure = "the memory was not updated: the model is overloaded";
    const end = { report: emptyReport("nothing-new", ""), lastFailure };
    const commands = COMMANDS;
    const lineAfter = (message: string) =>
      renderRunLine(end, { commands, reported: new Set([message]) });
    expect(lineAfter(lastFailure)).toBeUndefined();
    expect(lineAfter("something else")).toBeDefined();
  });

  it("returns one short line whatever a provider said", () => {
    const reason = `${"x".repeat(400)}\n\u001b[31m`;
    const text =
      renderRunLine({ report: emptyReport("failed", reason) }, { commands: COMMANDS })?.text ?? "";
    expect(text).not.toContain("\n");
    expect(text).not.toContain("\u001b");
    expect(text.length).toBeLessThan(230);
    expect(text).toMatch(/…\s\(mem stats\)$/);
  });
});

describe("renderRun", () => {
  const settings = DEFAULT_PIPELINE_SETTINGS;
  const render = (run: ProjectRun, hasMemory = true): string =>
    renderRun(run, { settings, commands: COMMANDS, hasMemory });

  it("reports what was read, what it cost, and what was left unread", () => {
    const report = {
      ...DONE,
      sessionsRead: 1,
      generation: 2,
      requests: 2,
      inputTokens: 1_200,
      outputTokens: 34,
      elapsedMs: 1_550,
    };
    const counts = { ...NO_SESSIONS, due: 1, tooRecent: 2, optedOut: 3, waiting: 4 };
    expect(render({ report, counts })).toBe(
      `read 1 session; new sessions use generation 2 (mem view)
4 sessions could not be read (mem stats)
2 requests, 1,234 tokens, 1.6 s
not read: 1 still to be read, 2 active within the last 12 hours, 3 excluded (--private), 4 waiting to be retried (--recent includes recent sessions; retry failed ones with: mem retry)
`,
    );
  });

  it("says whether there is a memory when there is nothing new", () => {
    const run = { report: emptyReport("nothing-new", ""), counts: NO_SESSIONS };
    expect(render(run)).toMatch(/^nothing new to learn; memory is unchanged\n/);
    expect(render(run, false)).toMatch(/^nothing new to learn; memory is still empty\n/);
  });

  it("leaves the reason of a failure to renderFailure", () => {
    const report = { ...emptyReport("failed", "no key"), sessionsFailed: 1 };
    expect(render({ report })).toBe("0 requests, 0 tokens, 0.0 s\n");
    expect(renderFailure(report)).toBe("failed after 0 sessions: no key");
    expect(renderFailure({ ...report, reason: undefined })).toContain("unknown reason");
    expect(renderFailure(DONE)).toBeUndefined();
  });
});
