import { describe, expect, it } from "vitest";
import { emptyReport } from "@caliban/autonomous-memory";
import type { ProjectRun } from "@caliban/autonomous-memory/node";
import { startLine } from "../../src/pipeline/start-lines.ts";

const DONE = { ...emptyReport("done", ""), reason: undefined };

const CASES: readonly (readonly [string, ProjectRun, string | undefined])[] = [
  ["nothing new", { report: emptyReport("nothing-new", "") }, undefined],
  ["sessions in which nothing was durable", { report: { ...DONE, sessionsRead: 4 } }, undefined],
  [
    "a new generation",
    { report: { ...DONE, sessionsRead: 3, generation: 2 } },
    "memory: learned from 3 sessions; available in the next session (/memory view)",
  ],
  [
    "one session",
    { report: { ...DONE, sessionsRead: 1, generation: 2 } },
    "memory: learned from 1 session; available in the next session (/memory view)",
  ],
  [
    "a rebuild",
    { report: { ...DONE, generation: 2 } },
    "memory: updated; available in the next session (/memory view)",
  ],
  [
    "a failure",
    { report: emptyReport("failed", "the key is wrong.") },
    "memory: learning from past sessions failed: the key is wrong (/memory stats)",
  ],
  [
    "a failure without a reason",
    { report: emptyReport("failed", "") },
    "memory: learning from past sessions failed: unknown reason (/memory stats)",
  ],
  [
    "a skipped run",
    { report: emptyReport("skipped", "the daily budget is used up") },
    "memory: past sessions were not read: the daily budget is used up (/memory stats)",
  ],
  [
    "a run that stopped",
    { report: emptyReport("stopped", "the daily budget is used up") },
    "memory: learning from past sessions stopped: the daily budget is used up (/memory stats)",
  ],
  [
    "a failure of the previous run",
    { report: emptyReport("nothing-new", ""), lastFailure: "the key is wrong" },
    "memory: learning from past sessions failed last time: the key is wrong (/memory stats)",
  ],
  [
    "a failure of the previous run that was fixed",
    { report: { ...DONE, sessionsRead: 1 }, lastFailure: "the key is wrong" },
    undefined,
  ],
];

describe("startLine", () => {
  it.for(CASES)("reports %s", ([, end, text]) => {
    expect(startLine(end)?.text).toBe(text);
  });

  it("omits what a notice already reported", () => {
    const lastFailure = "the memory was not updated: the model is overloaded";
    const end = { report: emptyReport("nothing-new", ""), lastFailure };
    expect(startLine(end, new Set([lastFailure]))).toBeUndefined();
    expect(startLine(end, new Set(["something else"]))).toBeDefined();
  });

  it("returns one short line whatever a provider said", () => {
    const reason = `${"x".repeat(400)}\n\u001b[31m`;
    const text = startLine({ report: emptyReport("failed", reason) })?.text ?? "";
    expect(text).not.toContain("\n");
    expect(text).not.toContain("\u001b");
    expect(text.length).toBeLessThan(230);
    expect(text).toMatch(/…\s\(\/memory stats\)$/);
  });
});
