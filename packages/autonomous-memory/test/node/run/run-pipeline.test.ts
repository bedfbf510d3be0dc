import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import type { PipelineReport } from "../../../src/run/pipeline-report.ts";
import { PipelineError } from "../../../src/run/errors.ts";
import { createRuleModel } from "../../../src/model/rules/rule-model.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../../src/run/settings.ts";
import type { PipelineStats } from "../../../src/store/pipeline-stats.ts";
import {
  DAY_MS,
  fakeSource,
  NOW_MS,
  createFixture,
  type PipelineFixture,
  queryOf,
  sessionWith,
  type ScriptedModel,
  scriptedModel,
} from "./pipeline-fixture.ts";
import { extractId, mergeLines } from "./scripted-answers.ts";

const HOUR_MS = 3_600_000;

async function memoryOf({ autonomous }: PipelineFixture): Promise<string | undefined> {
  return (await createGenerations({ directory: autonomous }).read())?.memoryMd.trimEnd();
}

function statsOf(fixture: PipelineFixture, model: ScriptedModel): PipelineStats {
  return fixture.store.admin.stats(queryOf(fixture, model));
}

describe("runPipeline", () => {
  it("learns from every due session and writes one memory", async () => {
    const fixture = await createFixture([
      sessionWith("a", "we use pnpm"),
      sessionWith("b", "never push to main"),
    ]);
    const model = scriptedModel();
    const report = await fixture.run(model);
    expect(report).toMatchObject({ outcome: "done", sessionsRead: 2, generation: 1, requests: 3 });
    expect([model.asked("extract"), model.asked("consolidate")]).toEqual([2, 1]);
    expect(await memoryOf(fixture)).toBe("# Memory\n- fact of a\n- fact of b");
    expect(fixture.events.map(({ type }) => type)).toContain("consolidation-start");
    expect(fixture.events.findLast(({ type }) => type === "session-end")).toMatchObject({
      done: 2,
      total: 2,
    });
  });

  it("sends no request when there is nothing new", async () => {
    const fixture = await createFixture([sessionWith("a", "we use pnpm")]);
    await fixture.run(scriptedModel());
    const model = scriptedModel();
    expect(await fixture.run(model)).toMatchObject({ outcome: "nothing-new", requests: 0 });
    expect(model.requests).toEqual([]);
  });

  it("reads a session again when it continued, but not when it was only touched", async () => {
    const session = sessionWith("a", "we use pnpm");
    const fixture = await createFixture([session]);
    await fixture.run(scriptedModel());
    session.mtimeMs += HOUR_MS;
    const touched = scriptedModel();
    expect((await fixture.run(touched)).outcome).toBe("nothing-new");
    expect(touched.requests).toEqual([]);
    session.messages = [...session.messages, { role: "user", text: "and vitest" }];
    session.mtimeMs += HOUR_MS;
    const grown = scriptedModel();
    expect((await fixture.run(grown)).sessionsRead).toBe(1);
    expect(grown.asked("extract")).toBe(1);
  });

  it("lets a model replace the extractions of rules, and not vice versa", async () => {
    const fixture = await createFixture([sessionWith("a", "we use pnpm")]);
    const rules = { id: "rules/1", replaces: [] };
    await fixture.run(scriptedModel({ extractor: rules }));
    const model = scriptedModel();
    await fixture.run(model);
    expect(model.asked("extract")).toBe(1);
    const later = scriptedModel({ extractor: rules });
    await fixture.run(later);
    expect(later.requests).toEqual([]);
  });

  it("skips sessions that are too recent, too old, in progress or opted out", async () => {
    const recent = { ...sessionWith("recent", "x"), mtimeMs: NOW_MS - HOUR_MS };
    const old = { ...sessionWith("old", "x"), mtimeMs: NOW_MS - 40 * DAY_MS };
    const future = { ...sessionWith("future", "x"), mtimeMs: NOW_MS + DAY_MS };
    const out = { ...sessionWith("out", "x"), isOptedOut: true };
    const fixture = await createFixture([
      recent,
      old,
      future,
      out,
      sessionWith("now", "x"),
      sessionWith("due", "x"),
    ]);
    const model = scriptedModel();
    await fixture.run(model, { running: ["now"] });
    expect(model.requests.flatMap(({ task }) => ("threadId" in task ? task.threadId : []))).toEqual(
      ["due"],
    );
    expect(statsOf(fixture, model).sessions).toMatchObject({
      upToDate: 1,
      tooOld: 1,
      optedOut: 1,
      due: 1,
    });
  });

  it("reads at most the quota of one run, newest first, and the rest in the next", async () => {
    const sessions = [1, 2, 3, 4, 5].map((n) =>
      Object.assign(sessionWith(`s${n}`, "x"), { mtimeMs: NOW_MS - DAY_MS - n * HOUR_MS }),
    );
    const fixture = await createFixture(sessions);
    const settings = {
      ...DEFAULT_PIPELINE_SETTINGS,
      maxRolloutsPerStartup: 3,
      stage1Concurrency: 1,
    };
    const model = scriptedModel();
    expect((await fixture.run(model, { settings })).sessionsRead).toBe(3);
    const first = model.requests.flatMap(({ task }) => ("threadId" in task ? task.threadId : []));
    expect(first).toEqual(["s1", "s2", "s3"]);
    expect((await fixture.run(scriptedModel(), { settings })).sessionsRead).toBe(2);
  });

  it("reads more sessions than it has workers", async () => {
    const fixture = await createFixture(
      Array.from({ length: 20 }, (_, n) => sessionWith(`s${n}`, "x")),
    );
    let [open, most] = [0, 0];
    const model = scriptedModel({
      extract: async ({ task }) => {
        open += 1;
        most = Math.max(most, open);
        await Promise.resolve();
        open -= 1;
        return JSON.stringify({ rollout_summary: "s", rollout_slug: null, raw_memory: task.kind });
      },
    });
    expect((await fixture.run(model)).sessionsRead).toBe(20);
    expect(most).toBeLessThanOrEqual(DEFAULT_PIPELINE_SETTINGS.stage1Concurrency);
  });

  it("accepts an empty answer, and does not write an empty memory", async () => {
    const fixture = await createFixture([sessionWith("a", "hello")]);
    const nothing = JSON.stringify({ rollout_summary: "", rollout_slug: null, raw_memory: "" });
    const model = scriptedModel({ extract: () => nothing });
    expect(await fixture.run(model)).toMatchObject({ outcome: "done", sessionsRead: 1 });
    expect(model.asked("consolidate")).toBe(0);
    expect(await memoryOf(fixture)).toBeUndefined();
    const again = scriptedModel();
    await fixture.run(again);
    expect(again.requests).toEqual([]);
  });

  it("sends no request about an empty session", async () => {
    const fixture = await createFixture([sessionWith("a")]);
    const model = scriptedModel();
    expect(await fixture.run(model)).toMatchObject({ sessionsRead: 1, requests: 0 });
  });

  it("forgets what only a removed session supported, and keeps the rest", async () => {
    const fixture = await createFixture([sessionWith("a", "x"), sessionWith("b", "y")]);
    await fixture.run(scriptedModel());
    fixture.sessions.splice(0, 1);
    const model = scriptedModel();
    await fixture.run(model);
    expect(await memoryOf(fixture)).toBe("# Memory\n- fact of b");
    expect((await fixture.run(scriptedModel())).outcome).toBe("nothing-new");
  });

  it("keeps everything when sessions cannot be listed", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel());
    const blind = {
      ...fakeSource([]),
      list: async () => ({
        files: [],
        isComplete: false,
        notices: [{ code: "SOURCE_UNREADABLE" as const, message: "the directory cannot be read" }],
      }),
    };
    const model = scriptedModel();
    const report = await fixture.run(model, { sources: [blind] });
    expect(messagesOf(report)).toContain("the directory cannot be read");
    expect(model.requests).toEqual([]);
    expect(await memoryOf(fixture)).toBe("# Memory\n- fact of a");
  });

  it("never empties a memory when all extractions are gone", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel());
    fixture.sessions.splice(0);
    const empty = JSON.stringify({ memory_md: " ", memory_summary: "", skills: [] });
    const report = await fixture.run(scriptedModel({ consolidate: () => empty }));
    expect(report.outcome).toBe("failed");
    expect(await memoryOf(fixture)).toBe("# Memory\n- fact of a");
  });

  it("consolidates everything again when the user asks, even without anything new", async () => {
    const fixture = await createFixture([sessionWith("a", "x"), sessionWith("b", "y")]);
    await fixture.run(scriptedModel());
    fixture.store.admin.enqueue("project", fixture.clock.nowMs());
    const model = scriptedModel();
    expect(await fixture.run(model)).toMatchObject({ generation: 2, sessionsRead: 0 });
    const [request] = model.requests;
    expect(request?.task.kind === "consolidate" && request.task.added.length).toBe(2);
    expect((await fixture.run(scriptedModel())).outcome).toBe("nothing-new");
  });

  it("stays cleared after clear", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel());
    await createGenerations({ directory: fixture.autonomous }).clear(() => {
      fixture.store.admin.clear("project", fixture.clock.nowMs());
    });
    fixture.clock.pass(DAY_MS);
    const model = scriptedModel();
    expect((await fixture.run(model)).outcome).toBe("nothing-new");
    expect(model.requests).toEqual([]);
    expect(await memoryOf(fixture)).toBeUndefined();
  });

  it("still learns after clear from sessions for which no model was reachable before", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const down = scriptedModel({
      extract: () => {
        throw new PipelineError("TRANSIENT", "no answer");
      },
    });
    await fixture.run(down);
    expect(fixture.store.admin.clear("project", fixture.clock.nowMs())).toBe(0);
    expect((await fixture.run(scriptedModel())).sessionsRead).toBe(1);
  });

  it("excludes a session that failed before clear", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel({ extract: () => "not JSON" }));
    expect(fixture.store.admin.clear("project", fixture.clock.nowMs())).toBe(1);
  });

  it("discards extractions when the memory is cleared meanwhile", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const clearing = scriptedModel({
      extract: () => {
        fixture.store.admin.clear("project", fixture.clock.nowMs());
        return JSON.stringify({ rollout_summary: "s", rollout_slug: null, raw_memory: "- secret" });
      },
    });
    const report = await fixture.run(clearing);
    expect(report.sessionsRead).toBe(0);
    expect(await memoryOf(fixture)).toBeUndefined();
    expect((await fixture.run(scriptedModel())).requests).toBe(0);
  });

  it("replaces nothing when the memory is cleared during a consolidation", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const clearing = scriptedModel({
      consolidate: (request) => {
        fixture.store.admin.clear("project", fixture.clock.nowMs());
        return mergeLines(request);
      },
    });
    const report = await fixture.run(clearing);
    expect(report.generation).toBeUndefined();
    expect(messagesOf(report)).toContain("cleared");
    expect(await memoryOf(fixture)).toBeUndefined();
  });

  it("never restores a memory that was undone during a consolidation", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel());
    fixture.sessions.push(sessionWith("b", "y"));
    await fixture.run(scriptedModel());
    fixture.sessions.push(sessionWith("c", "z"));
    const generations = createGenerations({ directory: fixture.autonomous });
    const undoing: ScriptedModel = scriptedModel({
      consolidate: async (request) => {
        if (undoing.asked("consolidate") === 1) await generations.undo();
        return mergeLines(request);
      },
    });
    const report = await fixture.run(undoing);
    expect(messagesOf(report)).toContain("undone");
    // Started again from the generation that the user restored.
    expect(undoing.asked("consolidate")).toBe(2);
    expect(await memoryOf(fixture)).toBe("# Memory\n- fact of a\n- fact of c");
  });

  it("stops when it is aborted, and releases its claims", async () => {
    const fixture = await createFixture([sessionWith("a", "x"), sessionWith("b", "x")]);
    const stop = new AbortController();
    const model = scriptedModel({
      extract: async ({ signal }) => {
        stop.abort();
        return await new Promise((_, reject) => {
          if (signal.aborted) reject(new Error("aborted"));
        });
      },
    });
    const settings = { ...DEFAULT_PIPELINE_SETTINGS, stage1Concurrency: 1 };
    const report = await fixture.run(model, { signal: stop.signal, settings });
    expect(report).toMatchObject({ outcome: "stopped", sessionsRead: 0, sessionsFailed: 0 });
    expect(report.reasonCode).toBe("INTERRUPTED");
    expect(report.reason).toBe("the conversation ended before it was done");
    expect(statsOf(fixture, model).sessions).toMatchObject({ due: 2, failed: 0, waiting: 0 });
    expect((await fixture.run(scriptedModel())).sessionsRead).toBe(2);
  });
});

describe("runPipeline with an unexpected error", () => {
  it("releases its claims, and records why it ended", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const { queue, ...store } = { ...fixture.store, queue: fixture.store.extractions };
    const broken = {
      ...store,
      extractions: {
        ...queue,
        finish: (...[claim, outcome, nowMs]: Parameters<typeof queue.finish>) => {
          if (outcome.kind === "extracted") throw new Error("disk I/O error");
          return queue.finish(claim, outcome, nowMs);
        },
      },
    };
    const model = scriptedModel();
    await expect(fixture.run(model, { store: broken })).rejects.toThrow("disk I/O error");
    const [last] = statsOf(fixture, model).runs;
    expect(last).toMatchObject({
      outcome: "failed",
      reason: "disk I/O error",
      reasonCode: "CRASHED",
    });
  });

  it("releases a session when reading it throws unexpectedly", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const model = scriptedModel();
    const odd = {
      ...fakeSource(fixture.sessions),
      messages: () => {
        // oxlint-disable-next-line typescript/only-throw-error -- the unexpected value under test
        throw "not even an error";
      },
    };
    await expect(fixture.run(model, { sources: [odd] })).rejects.toBe("not even an error");
    expect(statsOf(fixture, model).sessions).toMatchObject({ due: 1, running: 0 });
  });

  it("retries later when the memory is only busy", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const generations = createGenerations({ directory: fixture.autonomous });
    const busy = {
      ...generations,
      write: async () => {
        throw new PipelineError("TRANSIENT", "another process holds the memory");
      },
    };
    const model = scriptedModel();
    for (let start = 0; start < 5; start++) {
      await fixture.run(model, { generations: busy });
      fixture.clock.pass(2 * HOUR_MS);
    }
    expect(statsOf(fixture, model).consolidation.status).not.toBe("given-up");
    expect((await fixture.run(model)).generation).toBe(1);
  });
});

describe("runPipeline with a memory larger than the context window", () => {
  it("keeps what the model was not shown", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const sections = Array.from(
      { length: 40 },
      (_, n) => `## Part ${n}\n\n- ${"word ".repeat(60)}${n}`,
    );
    const large = `# Memory\n\n${sections.join("\n\n")}`;
    await fixture.run(
      scriptedModel({
        consolidate: () => JSON.stringify({ memory_md: large, memory_summary: "s", skills: [] }),
      }),
    );
    fixture.sessions.push(sessionWith("b", "y"));
    const echo = scriptedModel({
      window: 4_000,
      consolidate: () =>
        JSON.stringify({ memory_md: "# Memory\n\n- only this", memory_summary: "s", skills: [] }),
    });
    await fixture.run(echo);
    const memory = await memoryOf(fixture);
    expect(memory).toContain("- only this");
    expect(memory).toContain("## Part 39");
  });
});

describe("runPipeline with a failing model", () => {
  const useless: readonly (readonly [string, string | object])[] = [
    ["not JSON", "I am sorry, Dave."],
    ["half of an answer", '{"rollout_summary": "x", "rollout_slug": nu'],
    ["another shape", '{"rollout_summary": 5}'],
    ["a megabyte", "x".repeat(1_100_000)],
    ["a refusal", { text: "no", finishReason: "refusal" }],
  ];

  it.for(useless)("sends at most three requests when the model answers %s", async ([, answer]) => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const model = scriptedModel({ extract: () => answer });
    for (let start = 0; start < 6; start++) {
      await fixture.run(model);
      fixture.clock.pass(2 * HOUR_MS);
    }
    expect(model.requests).toHaveLength(3);
    const { failures, sessions } = statsOf(fixture, model);
    expect(sessions.failed).toBe(1);
    expect(failures).toMatchObject([{ threadId: "a", errorClass: "permanent", attempts: 3 }]);
    expect(failures[0]?.message).not.toBe("");
  });

  it("sends another request after retry", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const bad = scriptedModel({ extract: () => "not JSON" });
    for (let start = 0; start < 4; start++) {
      await fixture.run(bad);
      fixture.clock.pass(2 * HOUR_MS);
    }
    expect(fixture.store.admin.retry("project", fixture.clock.nowMs())).toBe(1);
    expect((await fixture.run(scriptedModel())).sessionsRead).toBe(1);
  });

  it("halves an input that was too large", async () => {
    const fixture = await createFixture([
      sessionWith("a", ...Array.from({ length: 200 }, () => "word ".repeat(200))),
    ]);
    const model = scriptedModel({
      extract: ({ input }) => {
        if (input.length > 50_000) throw new PipelineError("OVERFLOW", "too long");
        return JSON.stringify({ rollout_summary: "s", rollout_slug: null, raw_memory: "m" });
      },
    });
    expect(await fixture.run(model)).toMatchObject({ sessionsRead: 1, sessionsFailed: 0 });
    const sizes = model.requests
      .filter(({ task }) => task.kind === "extract")
      .map(({ input }) => input.length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.length).toBeLessThanOrEqual(5);
    expect(sizes.at(-1)).toBeLessThanOrEqual(50_000);
  });

  it("never uses more than 70 percent of the context window", async () => {
    const fixture = await createFixture([
      sessionWith("a", ...Array.from({ length: 200 }, () => "word ".repeat(200))),
    ]);
    const model = scriptedModel({ window: 8_000 });
    await fixture.run(model);
    const [first] = model.requests;
    expect((first?.input.length ?? 0) / 4).toBeLessThan(8_000 * 0.7 + 600);
  });

  it("sends few requests to an overloaded provider, and uses up no attempts", async () => {
    const fixture = await createFixture(
      Array.from({ length: 64 }, (_, n) => sessionWith(`s${n}`, "x")),
    );
    const storm = scriptedModel({
      extract: () => {
        throw new PipelineError("TRANSIENT", "429: slow down.", { retryAfterMs: 1_000 });
      },
    });
    const report = await fixture.run(storm);
    expect(storm.requests.length).toBeLessThanOrEqual(7);
    expect(report).toMatchObject({
      outcome: "failed",
      reasonCode: "UNAVAILABLE",
      inputTokens: 0,
    });
    expect(report.reason).toContain("slow down; retrying later");
    for (let start = 0; start < 5; start++) {
      fixture.clock.pass(2 * HOUR_MS);
      await fixture.run(storm);
    }
    expect(statsOf(fixture, storm).sessions.failed).toBe(0);
    fixture.clock.pass(2 * HOUR_MS);
    expect((await fixture.run(scriptedModel())).sessionsRead).toBe(64);
  });

  it("ends the run at once without a key", async () => {
    const fixture = await createFixture(
      Array.from({ length: 20 }, (_, n) => sessionWith(`s${n}`, "x")),
    );
    const model = scriptedModel({
      extract: () => {
        throw new PipelineError("SETUP", "there is no key for it; set X_API_KEY");
      },
    });
    const report = await fixture.run(model);
    expect(report).toMatchObject({
      outcome: "failed",
      reason: "there is no key for it; set X_API_KEY",
      reasonCode: "SETUP",
    });
    expect(model.requests.length).toBeLessThanOrEqual(4);
    expect(statsOf(fixture, model).sessions).toMatchObject({ due: 20, failed: 0 });
  });

  it("aborts a request that is never answered", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const silent = scriptedModel({ extract: () => new Promise(() => undefined) });
    const running = fixture.run(silent);
    await expect.poll(() => silent.requests.length).toBe(1);
    fixture.clock.pass(DEFAULT_PIPELINE_SETTINGS.requestTimeoutSeconds * 1_000);
    await running;
    const [failure] = statsOf(fixture, silent).failures;
    expect(failure?.message).toBe("the model did not answer within 300 seconds");
    expect(fixture.clock.waiting()).toBe(0);
  });

  it("keeps the memory when a consolidation fails, and reports why", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel());
    fixture.sessions.push(sessionWith("b", "y"));
    for (const consolidate of [
      () => "not JSON",
      () => ({ text: "no", finishReason: "refusal" as const }),
      () => JSON.stringify({ memory_md: "", memory_summary: "", skills: [] }),
    ]) {
      const report = await fixture.run(scriptedModel({ consolidate }));
      expect(report).toMatchObject({ outcome: "failed", reasonCode: "NOT_UPDATED" });
      expect(report.reason).toContain("the memory was not updated");
      expect(await memoryOf(fixture)).toBe("# Memory\n- fact of a");
      fixture.clock.pass(2 * HOUR_MS);
    }
    const model = scriptedModel();
    const report = await fixture.run(model);
    expect(model.requests).toEqual([]);
    expect(messagesOf(report)).toContain("the memory was not updated");
    fixture.store.admin.retry("project", fixture.clock.nowMs());
    expect((await fixture.run(scriptedModel())).generation).toBe(2);
    expect(await memoryOf(fixture)).toBe("# Memory\n- fact of a\n- fact of b");
  });

  it("stops when the daily budget is used up, and continues the next day", async () => {
    const fixture = await createFixture(
      Array.from({ length: 10 }, (_, n) => sessionWith(`s${n}`, "x")),
    );
    const usage = { inputTokens: 1_000, outputTokens: 1_000 };
    const model = scriptedModel({
      extract: () => ({
        text: JSON.stringify({ rollout_summary: "s", rollout_slug: null, raw_memory: "m" }),
        usage,
      }),
    });
    const settings = {
      ...DEFAULT_PIPELINE_SETTINGS,
      dailyTokenBudget: 7_000,
      stage1Concurrency: 1,
    };
    const report = await fixture.run(model, { settings });
    expect(report).toMatchObject({ outcome: "stopped", reasonCode: "BUDGET" });
    expect(report.reason).toContain("daily budget of 7,000 tokens");
    expect(statsOf(fixture, model).runs[0]?.reasonCode).toBe("BUDGET");
    expect(report.inputTokens + report.outputTokens).toBeLessThanOrEqual(8_000);
    const again = scriptedModel();
    expect(await fixture.run(again, { settings })).toMatchObject({
      outcome: "skipped",
      reasonCode: "BUDGET",
      requests: 0,
    });
    expect(again.requests).toEqual([]);
    fixture.clock.pass(DAY_MS);
    expect((await fixture.run(scriptedModel(), { settings })).sessionsRead).toBeGreaterThan(0);
  });

  it("records no cost for a local model, whatever the budget", async () => {
    const fixture = await createFixture([sessionWith("a", "we use pnpm")]);
    const settings = { ...DEFAULT_PIPELINE_SETTINGS, dailyTokenBudget: 1 };
    const report = await fixture.run(createRuleModel(), { settings });
    expect(report).toMatchObject({ outcome: "done", sessionsRead: 1, generation: 1, requests: 0 });
    expect(fixture.store.ledger.spentTokens(fixture.clock.nowMs())).toBe(0);
  });

  it.for([-1_000_000, Number.NaN, 1e300, 2 ** 53])(
    "cannot get round the budget by a usage of %d",
    async (tokens) => {
      const fixture = await createFixture(
        Array.from({ length: 20 }, (_, n) => sessionWith(`s${n}`, "x")),
      );
      const usage = { inputTokens: tokens, outputTokens: -tokens };
      const model = scriptedModel({
        extract: (request) => ({ text: extractId(request), usage }),
      });
      const settings = { ...DEFAULT_PIPELINE_SETTINGS, dailyTokenBudget: 6_000 };
      const report = await fixture.run(model, { settings });
      expect(report.reasonCode).toBe("BUDGET");
      expect(model.requests.length).toBeLessThan(12);
      expect(statsOf(fixture, model).spentTodayByAll).toBeGreaterThan(3_000);
    },
  );

  it("charges for answers that failed in the end", async () => {
    const fixture = await createFixture(
      Array.from({ length: 20 }, (_, n) => sessionWith(`s${n}`, "x")),
    );
    const flood = scriptedModel({
      extract: () => {
        const usage = { inputTokens: 1_000, outputTokens: 1_000 };
        throw new PipelineError("PERMANENT", "the answer is too long", { usage });
      },
    });
    const settings = { ...DEFAULT_PIPELINE_SETTINGS, dailyTokenBudget: 8_000 };
    const report = await fixture.run(flood, { settings });
    expect(report.reasonCode).toBe("BUDGET");
    expect(report.outputTokens).toBe(flood.requests.length * 1_000);
  });

  it("charges for an unusable answer", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const refusing = scriptedModel({
      extract: () => {
        throw new PipelineError("PERMANENT", "no");
      },
    });
    expect((await fixture.run(refusing)).inputTokens).toBeGreaterThan(100);
  });

  it("records the cost of a request before the answer, so that a crash cannot hide it", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    let booked = 0;
    const model = scriptedModel({
      extract: () => {
        booked = fixture.store.ledger.spentTokens(fixture.clock.nowMs());
        return "not JSON";
      },
    });
    await fixture.run(model);
    expect(booked).toBeGreaterThan(100);
  });
});

describe("runPipeline: secrets", () => {
  const KEY = ["sk", "ant", "api03", "Zk3".repeat(30)].join("-");

  it("sends no secret of a session, and stores no secret of an answer", async () => {
    const fixture = await createFixture([sessionWith("a", `my key is ${KEY}, keep it`)]);
    const leaking = scriptedModel({
      extract: () =>
        JSON.stringify({
          rollout_summary: `key ${KEY}`,
          rollout_slug: KEY,
          raw_memory: `- ${KEY}`,
        }),
      consolidate: () =>
        JSON.stringify({
          memory_md: `# Memory\n- ${KEY}`,
          memory_summary: `key ${KEY}`,
          skills: ["x", KEY].map((name) => ({
            name,
            content: `---\nname: x\ndescription: d\n---\n${KEY}`,
            scripts: [{ path: "a.sh", content: KEY }],
            templates: [{ path: `${KEY}.md`, content: KEY }],
            examples: [{ path: "b.md", content: KEY }],
          })),
        }),
    });
    await fixture.run(leaking);
    for (const { system, input } of leaking.requests) expect(system + input).not.toContain(KEY);
    fixture.store.close();
    const files = readdirSync(fixture.directory, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.some((text) => text.includes(KEY))).toBe(false);
    // The name consists of what remains, in lower case.
    const names = files.map((file) => file.name.toLowerCase());
    expect(names.some((name) => name.includes(KEY.slice(0, 30).toLowerCase()))).toBe(false);
  });

  it.for([
    ["says no JSON", () => `Token ${KEY} ok`],
    [
      "fails with it",
      () => {
        throw new Error(`bad request: ${"x ".repeat(140)}${KEY}`);
      },
    ],
  ] as const)("stores no secret of a model that %s", async ([, extract]) => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const model = scriptedModel({ extract });
    await fixture.run(model);
    const [failure] = statsOf(fixture, model).failures;
    expect(failure?.message).toBeTruthy();
    expect(failure?.message).not.toContain(KEY.slice(0, 16));
  });

  it("never sends what a session read from a memory directory", async () => {
    const session = sessionWith("a", "x");
    const call = {
      type: "tool-call",
      id: "c1",
      name: "Read",
      input: { file_path: "/odd/fixture/x" },
    };
    session.messages = [
      ...session.messages,
      { role: "assistant", model: "a/b", parts: [call as { type: "tool-call" } & typeof call] },
      { role: "tool", results: [{ id: "c1", name: "Read", text: "REMEMBERED", isError: false }] },
    ];
    const fixture = await createFixture([session]);
    const model = scriptedModel();
    await fixture.run(model, { memoryDirectories: ["/odd/fixture"] });
    expect(model.requests[0]?.input).not.toContain("REMEMBERED");
    const other = await createFixture([session]);
    const unaware = scriptedModel();
    await other.run(unaware);
    expect(unaware.requests[0]?.input).toContain("REMEMBERED");
  });

  it("never sends a secret that the user typed into the memory", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel());
    const path = join(fixture.autonomous, "generations", "1", "MEMORY.md");
    writeFileSync(path, `${readFileSync(path, "utf8")}- the key is ${KEY}\n`);
    fixture.sessions.push(sessionWith("b", "y"));
    const model = scriptedModel();
    await fixture.run(model);
    expect(model.asked("consolidate")).toBe(1);
    for (const { system, input } of model.requests) expect(system + input).not.toContain(KEY);
  });
});

function messagesOf({ notices }: PipelineReport): string {
  return notices.map(({ message }) => message).join("\n");
}
