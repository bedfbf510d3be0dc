import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ForgottenStatements } from "../../../src/forgotten/forgotten-statements.ts";
import { createRuleModel } from "../../../src/model/rules/rule-model.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { readGuidance } from "../../../src/node/generations/read-guidance.ts";
import { createFixture, NOW_MS, scriptedModel, sessionWith } from "./pipeline-fixture.ts";

const SHIP = "We deploy with pnpm ship.";
const LINT = "Always run the linter before a commit.";

/** Forgets every line with a word. */
function forgets(word: string): ForgottenStatements & { readonly forgot: string[] } {
  const forgot: string[] = [];
  return {
    forgot,
    isExcluded: ({ text }) => text.includes(word),
    strip: (text) => {
      const lines = text.split("\n");
      const left = lines.filter((line) => !line.includes(word));
      return { text: left.join("\n"), removed: lines.length - left.length };
    },
    forget: async ({ statements }) => forgot.push(...statements),
  };
}

it("hides from a model the turns that said what is forgotten", async () => {
  const fixture = await createFixture([sessionWith("one", SHIP, LINT)]);
  const model = scriptedModel();
  await fixture.run(model, { forgotten: forgets("ship") });
  const input = model.requests.map((request) => request.input).join("\n");
  expect(input).toContain("run the linter");
  expect(input).not.toContain("ship");
});

it("leaves out what a model writes all the same, and counts it", async () => {
  const fixture = await createFixture([sessionWith("one", LINT)]);
  const extraction = { rollout_summary: "They ship.", rollout_slug: null };
  const model = scriptedModel({
    extract: () =>
      JSON.stringify({ ...extraction, raw_memory: "- pnpm ship deploys\n- lint first" }),
    consolidate: () =>
      JSON.stringify({
        memory_md: "# Memory\n\n- lint first\n- they ship with pnpm",
        memory_summary: "- they ship with pnpm",
        skills: [
          { name: "ship", content: "---\nname: ship\ndescription: how to ship\n---\n\nRun it." },
        ],
      }),
  });
  const report = await fixture.run(model, { forgotten: forgets("ship") });
  expect(report).toMatchObject({ outcome: "done", forgotten: 5 });
  const memory = await createGenerations({ directory: fixture.autonomous }).read();
  expect(memory).toMatchObject({ memoryMd: "# Memory\n\n- lint first\n", skills: [] });
  expect(memory?.memorySummary).toBe("Nothing is remembered of earlier sessions yet.\n");
});

it("removes a forgotten fact from the memory without a model, and from the prompt before that", async () => {
  const fixture = await createFixture([sessionWith("one", SHIP, LINT)]);
  await fixture.run(createRuleModel());
  const forgotten = forgets("ship");
  const guidance = { directory: fixture.autonomous, maxTokens: 5_000 };
  expect((await readGuidance(guidance)).body).toContain("ship");
  const filtered = await readGuidance({ ...guidance, forgotten });
  expect(filtered).toMatchObject({ removed: 1, body: expect.stringContaining("linter") });
  expect(filtered.body).not.toContain("ship");
  const report = await fixture.run(createRuleModel(), { forgotten });
  expect(report).toMatchObject({ outcome: "done", generation: 2, requests: 0 });
  expect((await readGuidance(guidance)).body).not.toContain("ship");
  const raw = join(fixture.autonomous, "generations/2/raw_memories.md");
  expect(await readFile(raw, "utf8")).not.toContain("ship");
  expect(await fixture.run(createRuleModel(), { forgotten })).toMatchObject({
    outcome: "nothing-new",
  });
});

it("keeps it out of a rebuild from stored extractions, and lets it back when it is lifted", async () => {
  const fixture = await createFixture([sessionWith("one", SHIP, LINT)]);
  await fixture.run(createRuleModel());
  fixture.store.admin.enqueue("project", NOW_MS);
  await fixture.run(createRuleModel(), { forgotten: forgets("ship") });
  const { read } = createGenerations({ directory: fixture.autonomous });
  expect((await read())?.memoryMd).not.toContain("ship");
  fixture.store.admin.enqueue("project", NOW_MS);
  await fixture.run(createRuleModel());
  expect((await read())?.memoryMd).toContain("ship");
});

it("reads a session again whose turns became excluded", async () => {
  const fixture = await createFixture([sessionWith("one", SHIP, LINT)]);
  const model = scriptedModel();
  await fixture.run(model);
  expect(model.asked("extract")).toBe(1);
  fixture.clock.pass(1_000);
  const at = new Date(fixture.clock.nowMs()).toISOString();
  const forgotten = { ...forgets("ship"), excludedSessions: () => [{ session: "one", at }] };
  fixture.clock.pass(1_000);
  await fixture.run(model, { forgotten });
  expect(model.asked("extract")).toBe(2);
  await fixture.run(model, { forgotten });
  expect(model.asked("extract")).toBe(2);
});

it("drops the user's own line once it is forgotten, and forgets a line that the user takes out", async () => {
  const fixture = await createFixture([sessionWith("one", SHIP, LINT)]);
  await fixture.run(createRuleModel());
  const path = join(fixture.autonomous, "generations/1/MEMORY.md");
  const text = await readFile(path, "utf8");
  await writeFile(path, `${text}- I rehearse each ship on Monday.\n`);
  await fixture.run(createRuleModel(), { forgotten: forgets("ship") });
  const { read } = createGenerations({ directory: fixture.autonomous });
  expect((await read())?.memoryMd).not.toContain("ship");

  const next = join(fixture.autonomous, "generations/2/MEMORY.md");
  const lines = (await readFile(next, "utf8")).split("\n");
  await writeFile(next, lines.filter((line) => !line.includes("linter")).join("\n"));
  const forgotten = forgets("nothing of this kind");
  await fixture.run(createRuleModel(), { forgotten });
  expect(forgotten.forgot).toEqual([expect.stringContaining("run the linter")]);
});
