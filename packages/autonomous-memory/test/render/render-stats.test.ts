import { describe, expect, it } from "vitest";
import { renderStats, type StatsFacts } from "../../src/render/render-stats.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../src/run/settings.ts";
import type { PipelineStats, RunStats } from "../../src/store/pipeline-stats.ts";
import { COMMANDS, NO_SESSIONS } from "./render-fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 16, 12);
const HOUR_MS = 3_600_000;
const NOTHING = { requests: 0, inputTokens: 0, outputTokens: 0 };

const RUN: RunStats = {
  trigger: "start",
  startedAtMs: NOW_MS - HOUR_MS,
  finishedAtMs: NOW_MS,
  outcome: "done",
  reason: undefined,
  reasonCode: undefined,
  sessionsRead: 0,
  sessionsFailed: 0,
  hasConsolidated: false,
  spent: NOTHING,
};

const STATS: PipelineStats = {
  runs: [],
  sessions: NO_SESSIONS,
  extractions: 0,
  unseenExtractions: 0,
  consolidation: {
    status: "clean",
    lastDoneAtMs: undefined,
    retryAtMs: undefined,
    message: undefined,
  },
  failures: [],
  spentToday: NOTHING,
  spentInAll: NOTHING,
  spentTodayByAll: 0,
};

function render(changes: Partial<StatsFacts>): string {
  const facts: StatsFacts = {
    off: undefined,
    problem: undefined,
    notices: [],
    models: ["acme/big", "acme/small"],
    isByRules: false,
    sources: ["caliban", "claude"],
    stats: undefined,
    current: undefined,
    directory: "/learned",
    stateFile: "/state",
    nowMs: NOW_MS,
    settings: DEFAULT_PIPELINE_SETTINGS,
    ...changes,
  };
  return renderStats(facts, { commands: COMMANDS, formatPath: (path) => `~${path}` });
}

describe("renderStats", () => {
  it("says that nothing has happened yet", () => {
    expect(render({ off: "not enabled" })).toBe(
      `learning  off: not enabled
last run  never
memory    nothing learned yet; will be stored in ~/learned
state     none yet
`,
    );
  });

  it("shows runs, sessions, cost, the current generation and failures", () => {
    const stats: PipelineStats = {
      ...STATS,
      runs: [
        { ...RUN, sessionsRead: 2, hasConsolidated: true, spent: { ...NOTHING, requests: 3 } },
        { ...RUN, outcome: "nothing-new" },
        { ...RUN, outcome: "failed", reason: "the key is wrong." },
        { ...RUN, outcome: undefined },
      ],
      sessions: { ...NO_SESSIONS, due: 1_200, upToDate: 2, optedOut: 1, failed: 1 },
      extractions: 3,
      unseenExtractions: 1,
      consolidation: { ...STATS.consolidation, status: "given-up", message: "it said no" },
      failures: [
        {
          threadId: "s1",
          errorClass: "permanent",
          message: "not\nJSON",
          attempts: 3,
          retryAtMs: undefined,
        },
        {
          threadId: undefined,
          errorClass: "transient",
          message: "busy",
          attempts: 0,
          retryAtMs: NOW_MS + 90_000,
        },
      ],
      spentTodayByAll: 5_000,
    };
    const current = {
      generation: 4,
      exists: true,
      madeAtMs: NOW_MS - 2 * HOUR_MS,
      sinceMs: NOW_MS,
    };
    expect(render({ stats, current, notices: ["models.smol is not available"] })).toBe(
      `learning        on: sessions of caliban, claude, read by acme/big, memory maintained by acme/small
note            models.smol is not available
last run        1 h ago, done; 2 sessions read; memory updated; 3 requests, 0 tokens
before that     1 h ago, FAILED: the key is wrong
before that     1 h ago, running, or killed
sessions        1,200 to be read, 2 read, 1 excluded (--private), 1 given up
extracts        3, 1 of them not in memory yet
update          updating memory failed too often (mem retry): it said no
spent today     0 requests, 0 tokens (5,000 of 2,000,000 per day across all projects)
spent in total  0 requests, 0 tokens
memory          generation 4, written 2 h ago and restored now, in ~/learned
state           ~/state

Failures (to retry them, run: mem retry):
  s1: not\\u{a}JSON (3 attempts, given up)
  updating memory: busy (retried in 2 min at the earliest)
`,
    );
  });

  it("explains a missing model once, for runs that recorded it as their reason", () => {
    const skipped = { ...RUN, outcome: "skipped", reason: "no model: set KEY" } as const;
    const stats = { ...STATS, runs: [{ ...skipped, reasonCode: "NO_MODEL" } as const] };
    const problem = { message: "set KEY" };
    expect(render({ stats, problem })).toMatch(/^last run .*, skipped: no model available$/m);
    expect(render({ stats })).toMatch(/^last run .*, skipped: no model: set KEY$/m);
    // A version without codes recorded this one.
    expect(render({ stats: { ...STATS, runs: [skipped] }, problem })).toMatch(
      /^last run .*, skipped: no model: set KEY$/m,
    );
  });

  it("says that rules read sessions, and that the current generation is missing", () => {
    const models = ["offline/rehearsal", "offline/rehearsal"];
    const current = { generation: 4, exists: false, madeAtMs: 0, sinceMs: 0 };
    const text = render({ models, isByRules: true, current });
    expect(text).toContain("read by offline/rehearsal (by rules; a model learns far more)\n");
    expect(text).toContain(
      "generation 4 does not exist, so new sessions do not get it (start over with: mem clear), in ~/learned",
    );
  });
});
