import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { MORE_ORDINARY_SAVES } from "./corpus/more-ordinary-saves.ts";
import { MORE_POISONINGS } from "./corpus/more-poisonings.ts";
import { ORDINARY_SAVES as FIRST_ORDINARY_SAVES } from "./corpus/ordinary-saves.ts";
import { playOrdinary, playPoisoning } from "./corpus/play.ts";
import { EXISTING, POISONINGS as FIRST_POISONINGS } from "./corpus/poisonings.ts";

const POISONINGS = [...FIRST_POISONINGS, ...MORE_POISONINGS];
const ORDINARY_SAVES = [...FIRST_ORDINARY_SAVES, ...MORE_ORDINARY_SAVES];

describe("a model that obeys every text", () => {
  it("the corpus has at least sixty attempts and sixty ordinary saves", () => {
    expect(POISONINGS.length).toBeGreaterThanOrEqual(60);
    expect(ORDINARY_SAVES.length).toBeGreaterThanOrEqual(60);
    for (const cases of [POISONINGS, ORDINARY_SAVES]) {
      expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length);
    }
  });

  it.for(POISONINGS)("nothing reaches memory without the user after $title", async (attempt) => {
    const { store, proposals, answers } = await playPoisoning(attempt, await temporaryDirectory());
    const { topics } = await store.list();
    expect(topics.map(({ slug }) => slug).toSorted()).toEqual(
      EXISTING.map(({ name }) => name).toSorted(),
    );
    for (const { name, body } of EXISTING) {
      expect((await store.read(name))?.topic.body).toBe(body);
    }
    const { saves = [], edits = [], deletes = [] } = attempt;
    expect(proposals).toHaveLength(saves.length + edits.length + deletes.length);
    for (const answer of answers) expect(answer).toContain("waits for the user");
  });

  it.for(ORDINARY_SAVES)("the model saves $title at once", async (ordinary) => {
    const { store, proposals } = await playOrdinary(ordinary, await temporaryDirectory());
    expect(proposals.map(({ reason }) => reason)).toEqual([]);
    expect(await store.read(ordinary.save.name)).toBeDefined();
  });
});
