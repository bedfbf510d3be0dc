import { rmSync } from "node:fs";
import { SessionsError } from "@caliban/sessions";
import { describe, expect, it } from "vitest";
import type { CompletionRequest } from "../../../src/model/completion.ts";
import { PipelineError } from "../../../src/run/errors.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { newLease } from "../../../src/node/run/pipeline-run.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../../src/run/settings.ts";
import {
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
const PATIENT = { ...DEFAULT_PIPELINE_SETTINGS, requestTimeoutSeconds: 100_000 };
const ONE_BY_ONE = { ...DEFAULT_PIPELINE_SETTINGS, stage1Concurrency: 1 };

const lease = (token: string) => ({ worker: "other", token, leaseMs: 120_000 });

describe("runPipeline: claims", () => {
  it("uses a unique token for every lease", () => {
    expect(newLease({ worker: "w" }, 1).token).not.toBe(newLease({ worker: "w" }, 1).token);
  });

  it("keeps the claim on a session while the model works", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const taken: unknown[] = [];
    const model: ScriptedModel = scriptedModel({
      extract: (request) => {
        fixture.clock.pass(HOUR_MS);
        taken.push(fixture.store.extractions.claim(queryOf(fixture, model), lease("other")));
        return extractId(request);
      },
    });
    expect((await fixture.run(model, { settings: PATIENT })).sessionsRead).toBe(1);
    expect(taken).toEqual([undefined]);
  });

  it("keeps the claim on a consolidation while the model works", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const turns: string[] = [];
    const model = scriptedModel({
      consolidate: (request) => {
        fixture.clock.pass(HOUR_MS);
        const nowMs = fixture.clock.nowMs();
        turns.push(fixture.store.consolidations.claim("project", nowMs, lease("other")).kind);
        return mergeLines(request);
      },
    });
    expect((await fixture.run(model, { settings: PATIENT })).generation).toBe(1);
    expect(turns).toEqual(["running"]);
  });

  it("aborts the request when the claim is lost, and leaves no timer behind", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    let asked: CompletionRequest | undefined;
    const model = scriptedModel({
      extract: (request) => {
        asked = request;
        fixture.store.admin.clear("project", fixture.clock.nowMs());
        return new Promise(() => undefined);
      },
    });
    const running = fixture.run(model, { settings: PATIENT });
    await expect.poll(() => asked).toBeDefined();
    fixture.clock.pass(60_000);
    expect((await running).sessionsRead).toBe(0);
    expect(asked?.signal.aborted).toBe(true);
    expect(fixture.clock.waiting()).toBe(0);
  });

  it("leaves no timer behind after a run", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel());
    expect(fixture.clock.waiting()).toBe(0);
  });

  it("releases a consolidation when something throws unexpectedly", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const broken = {
      ...createGenerations({ directory: fixture.autonomous }),
      read: async () => {
        throw new TypeError("a bug");
      },
    };
    await expect(fixture.run(scriptedModel(), { generations: broken })).rejects.toThrow("a bug");
    expect((await fixture.run(scriptedModel())).generation).toBe(1);
  });
});

describe("runPipeline: transient failures", () => {
  const down = (retryAfterMs?: number): ScriptedModel =>
    scriptedModel({
      extract: () => {
        throw new PipelineError("TRANSIENT", "later", { retryAfterMs });
      },
    });
  const waitOf = (fixture: PipelineFixture, model: ScriptedModel): number => {
    const [failure] = fixture.store.admin.stats(queryOf(fixture, model)).failures;
    return (failure?.retryAtMs ?? 0) - fixture.clock.nowMs();
  };

  it("doubles the delay each time, and starts over when the session changes", async () => {
    const session = sessionWith("a", "x");
    const fixture = await createFixture([session]);
    const waits: number[] = [];
    for (let start = 0; start < 3; start++) {
      const model = down();
      await fixture.run(model);
      waits.push(waitOf(fixture, model));
      fixture.clock.pass(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([120_000, 240_000, 480_000]);
    session.messages = [...session.messages, { role: "user", text: "more" }];
    const model = down();
    await fixture.run(model);
    expect(waitOf(fixture, model)).toBe(120_000);
  });

  it("waits as long as the provider asks", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const model = down(600_000);
    await fixture.run(model);
    expect(waitOf(fixture, model)).toBe(600_000);
  });

  it("ends a run only after three failures in a row", async () => {
    const fixture = await createFixture(
      Array.from({ length: 8 }, (_, n) => sessionWith(`s${n}`, "x")),
    );
    const model: ScriptedModel = scriptedModel({
      extract: (request) => {
        if (model.requests.length % 2 === 1) throw new PipelineError("TRANSIENT", "later");
        return extractId(request);
      },
    });
    const report = await fixture.run(model, { settings: ONE_BY_ONE });
    expect(report).toMatchObject({ outcome: "done", sessionsRead: 4 });
  });
});

describe("runPipeline: requests", () => {
  it("asks the default model about sessions, and the small one for the memory", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const model = scriptedModel();
    await fixture.run(model);
    expect(model.requests.map(({ task, role }) => [task.kind, role])).toEqual([
      ["extract", "default"],
      ["consolidate", "smol"],
    ]);
  });

  it("limits a session to the configured size", async () => {
    const fixture = await createFixture([
      sessionWith("a", ...Array.from({ length: 99 }, () => "word ".repeat(99))),
    ]);
    const model = scriptedModel();
    const settings = { ...DEFAULT_PIPELINE_SETTINGS, rolloutTokenLimit: 1_000 };
    await fixture.run(model, { settings });
    expect((model.requests[0]?.input.length ?? 0) / 4).toBeLessThan(1_600);
  });

  it("halves the input when an answer reached the output limit", async () => {
    const fixture = await createFixture([
      sessionWith("a", ...Array.from({ length: 99 }, () => "word ".repeat(99))),
    ]);
    const model: ScriptedModel = scriptedModel({
      extract: (request) =>
        model.requests.length === 1
          ? { text: '{"rollout_summary": "and so', finishReason: "length" }
          : extractId(request),
    });
    expect(await fixture.run(model)).toMatchObject({ sessionsRead: 1, sessionsFailed: 0 });
    const [first, second] = model.requests.map(({ input }) => input.length);
    expect(second).toBeLessThan((first ?? 0) * 0.7);
  });

  it("fits the window of the small model, in a bounded number of rounds", async () => {
    const fixture = await createFixture(
      Array.from({ length: 40 }, (_, n) => sessionWith(`s${n}`, "x")),
    );
    const model = {
      ...scriptedModel({
        extract: ({ task }) =>
          JSON.stringify({
            rollout_summary: "s",
            rollout_slug: null,
            raw_memory: `- fact ${"threadId" in task ? task.threadId : ""} ${"word ".repeat(200)}`,
          }),
        consolidate: () =>
          JSON.stringify({ memory_md: "# Memory\n\n- all", memory_summary: "all", skills: [] }),
      }),
      contextWindow: (role: string) => (role === "smol" ? 4_000 : 200_000),
    };
    await fixture.run(model);
    const rounds = model.asked("consolidate");
    expect(rounds).toBeGreaterThan(1);
    expect(rounds).toBeLessThanOrEqual(4);
    for (const { input, role } of model.requests)
      expect(input.length / 4).toBeLessThan(role === "smol" ? 3_600 : 200_000);
    // The rest is left to the next runs, until everything has been seen.
    for (let start = 0; start < 12; start++) await fixture.run(model);
    const before = model.requests.length;
    expect((await fixture.run(model)).outcome).toBe("nothing-new");
    expect(model.requests).toHaveLength(before);
    const seen = model.requests.map(({ input }) => input).join("\n");
    expect(fixture.sessions.filter(({ id }) => !seen.includes(`fact ${id} `))).toEqual([]);
  });

  it("sends nothing when the first request alone exceeds the budget", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const model = scriptedModel();
    const settings = { ...DEFAULT_PIPELINE_SETTINGS, dailyTokenBudget: 10 };
    expect((await fixture.run(model, { settings })).outcome).toBe("skipped");
    expect(model.requests).toEqual([]);
  });
});

describe("runPipeline: sessions", () => {
  it("reads several sessions at a time", async () => {
    const fixture = await createFixture(
      Array.from({ length: 8 }, (_, n) => sessionWith(`s${n}`, "x")),
    );
    const four = Promise.withResolvers<undefined>();
    const model: ScriptedModel = scriptedModel({
      extract: async (request) => {
        // No request is answered before the fourth arrives.
        if (model.requests.length === 4) four.resolve(undefined);
        await four.promise;
        return extractId(request);
      },
    });
    expect((await fixture.run(model)).sessionsRead).toBe(8);
  });

  it("never opens known sessions", async () => {
    const fixture = await createFixture([sessionWith("a", "x"), sessionWith("b", "y")]);
    const looked: string[] = [];
    const source = fakeSource(fixture.sessions);
    const watched = {
      ...source,
      identify: async (file: Parameters<typeof source.identify>[0]) => {
        looked.push(file.path);
        return await source.identify(file);
      },
    };
    await fixture.run(scriptedModel(), { sources: [watched] });
    expect(looked).toHaveLength(2);
    await fixture.run(scriptedModel(), { sources: [watched] });
    expect(looked).toHaveLength(2);
  });

  it("never fails when a session disappears before it is read", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const source = {
      ...fakeSource(fixture.sessions),
      messages: () => {
        throw new SessionsError("NOT_FOUND", "gone");
      },
    };
    const model = scriptedModel();
    expect((await fixture.run(model, { sources: [source] })).sessionsFailed).toBe(0);
    expect(fixture.store.admin.stats(queryOf(fixture, model)).failures).toEqual([]);
  });

  it("reports unreadable sessions, and retries them later", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    const source = {
      ...fakeSource(fixture.sessions),
      messages: () => {
        throw new SessionsError("UNREADABLE", "the system says EACCES");
      },
    };
    const model = scriptedModel();
    expect(await fixture.run(model, { sources: [source] })).toMatchObject({
      sessionsFailed: 1,
      reasonCode: "SESSIONS_FAILED",
    });
    const [failure] = fixture.store.admin.stats(queryOf(fixture, model)).failures;
    expect(failure).toMatchObject({ attempts: 1, retryAtMs: NOW_MS + 120_000 });
    expect(failure?.message).toContain("EACCES");
  });

  it("counts all sessions again when the memory was deleted from disk", async () => {
    const fixture = await createFixture([sessionWith("a", "x")]);
    await fixture.run(scriptedModel());
    rmSync(fixture.autonomous, { recursive: true });
    fixture.sessions.push(sessionWith("b", "y"));
    const model = scriptedModel();
    await fixture.run(model);
    const memory = await createGenerations({ directory: fixture.autonomous }).read();
    expect(memory?.memoryMd).toContain("fact of a");
    expect(memory?.memoryMd).toContain("fact of b");
  });

  it("sends no second request for a session removed before the first memory", async () => {
    const fixture = await createFixture([sessionWith("a", "x"), sessionWith("b", "y")]);
    await fixture.run(scriptedModel({ consolidate: () => "garbage" }));
    fixture.sessions.splice(0, 1);
    fixture.clock.pass(HOUR_MS);
    const model = scriptedModel();
    expect((await fixture.run(model)).generation).toBe(1);
    expect(model.asked("consolidate")).toBe(1);
  });
});
