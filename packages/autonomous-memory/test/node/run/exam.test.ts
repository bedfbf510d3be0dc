import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRuleModel } from "../../../src/model/rules/rule-model.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { readRejected } from "../../../src/node/generations/rejected-candidates.ts";
import {
  createFixture,
  DAY_MS,
  NOW_MS,
  type PipelineFixture,
  scriptedModel,
  sessionWith,
} from "./pipeline-fixture.ts";

const FACTS: Readonly<Record<string, string>> = {
  one: "- deploy with `pnpm ship`\n- tests need port 5433",
  two: "- the default branch is trunk",
};

const extract = ({
  task,
}: {
  readonly task: { readonly kind: string; readonly threadId?: string };
}): string =>
  JSON.stringify({
    rollout_summary: "x",
    rollout_slug: "x",
    raw_memory: FACTS[task.threadId ?? ""] ?? "",
  });

const answer = (text: string) => (): string =>
  JSON.stringify({ memory_md: text, memory_summary: text, skills: [] });

const BOTH = "# Memory\n\n- deploy with `pnpm ship`\n- tests need port 5433\n";
const DROPPED = "# Memory\n\n- deploy with `pnpm ship`\n- the default branch is trunk\n";

async function learned(): Promise<PipelineFixture> {
  const fixture = await createFixture([sessionWith("one", "hello")]);
  const report = await fixture.run(scriptedModel({ extract, consolidate: answer(BOTH) }));
  expect(report).toMatchObject({ outcome: "done", generation: 1 });
  fixture.sessions.push(sessionWith("two", "hello again"));
  return fixture;
}

const current = async ({ autonomous }: PipelineFixture): Promise<string | undefined> =>
  (await createGenerations({ directory: autonomous }).read())?.memoryMd;

describe("a consolidation that drops a fact", () => {
  it("leaves the memory as it was, and keeps the candidate with its diff", async () => {
    const fixture = await learned();
    const report = await fixture.run(scriptedModel({ extract, consolidate: answer(DROPPED) }));
    const message =
      "generation 2 was rejected: it answers 1 of 2 questions about past sessions, and the current memory answers 2";
    expect(report).toMatchObject({
      outcome: "failed",
      reason: `the memory was not updated: ${message}`,
      reasonCode: "NOT_UPDATED",
      generation: undefined,
    });
    expect(report.notices).toMatchObject([{ code: "CANDIDATE_REJECTED" }]);
    expect(await current(fixture)).toBe(BOTH);
    const rejected = readRejected(fixture.autonomous);
    expect(rejected?.number).toBe(2);
    const reason = readFileSync(rejected?.path ?? "", "utf8");
    expect(reason).toContain("- tests need port 5433");
    expect(reason).toContain("- - tests need port 5433\n+ - the default branch is trunk");
  });

  it("leads to another try later, and a better answer gets the next number", async () => {
    const fixture = await learned();
    await fixture.run(scriptedModel({ extract, consolidate: answer(DROPPED) }));
    fixture.clock.pass(DAY_MS);
    const better = `${BOTH}- the default branch is trunk\n`;
    const report = await fixture.run(scriptedModel({ extract, consolidate: answer(better) }));
    expect(report).toMatchObject({ outcome: "done", generation: 3 });
    expect(await current(fixture)).toBe(better);
    expect(readRejected(fixture.autonomous)).toBeUndefined();
  });

  it("keeps only the last rejected candidates", async () => {
    const fixture = await learned();
    for (let count = 0; count < 5; count++) {
      fixture.clock.pass(DAY_MS);
      fixture.sessions.push({ ...sessionWith(`more-${count}`, "hi"), mtimeMs: NOW_MS - DAY_MS });
      await fixture.run(scriptedModel({ extract, consolidate: answer(DROPPED) }), {
        trigger: "now",
      });
    }
    const names = readdirSync(join(fixture.autonomous, "generations/rejected"));
    expect(names.length).toBeLessThanOrEqual(3);
    expect(await current(fixture)).toBe(BOTH);
  });

  it("passes if the user had the fact forgotten or removed its session", async () => {
    const forgetful = await learned();
    const model = (): ReturnType<typeof scriptedModel> =>
      scriptedModel({ extract, consolidate: answer(DROPPED) });
    const isForgotten = ({ text }: { readonly text: string }): boolean => text.includes("5433");
    expect(await forgetful.run(model(), { exam: { isForgotten } })).toMatchObject({
      generation: 2,
    });
    const removed = await learned();
    removed.sessions.shift();
    expect(await removed.run(model())).toMatchObject({ generation: 2 });
  });
});

describe("the exam of a run", () => {
  it("asks what topics expect", async () => {
    const fixture = await learned();
    const expecting = { exam: { expect: async () => ["Which port do tests need? 5433"] } };
    const model = scriptedModel({
      extract: () => extract({ task: { kind: "" } }),
      consolidate: answer(DROPPED),
    });
    const report = await fixture.run(model, expecting);
    expect(report.generation).toBeUndefined();
  });

  it("passes what the rules write, from run to run", async () => {
    const fixture = await createFixture([
      sessionWith("one", "Always deploy with pnpm ship.", "Never touch src/generated."),
    ]);
    expect((await fixture.run(createRuleModel())).generation).toBe(1);
    fixture.sessions.push(sessionWith("two", "We always use port 5433 for tests."));
    const report = await fixture.run(createRuleModel());
    expect(report).toMatchObject({ outcome: "done", generation: 2, notices: [] });
  });
});
