import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { withForgetting } from "../../../src/forgotten/with-forgetting.ts";
import { type Forgotten, openForgotten } from "../../../src/node/forgotten/open-forgotten.ts";
import { createMapTopicStore } from "../../../src/store/map-topic-store.ts";
import type { Author, TopicStore } from "../../../src/store/topic-store.ts";

const USER: Author = { who: "person" };
const AGENT: Author = { who: "agent", session: "s1" };
const SHIP = "We deploy with pnpm ship.";
const REWORDED = "Deployments run via `pnpm ship`.";

async function opened(): Promise<{ readonly store: TopicStore; readonly forgotten: Forgotten }> {
  const forgotten = openForgotten(await temporaryDirectory());
  return { forgotten, store: withForgetting(createMapTopicStore(), forgotten) };
}

function topic(body: string, author: Author = USER): Parameters<TopicStore["write"]>[0] {
  return { name: "deploy", description: "deploying", type: "project", body, author };
}

it("forgets what a removed topic said, and nothing else", async () => {
  const { store, forgotten } = await opened();
  await store.write(topic(`${SHIP}\n\n- Use vitest for tests.`));
  expect(forgotten.list()).toEqual([]);
  await store.remove({ name: "deploy", author: USER });
  expect(forgotten.list()).toMatchObject([{ slug: "deploy" }]);
  expect(forgotten.isForgotten({ text: REWORDED })).toBe(true);
  expect(forgotten.isForgotten({ text: "tests use vitest" })).toBe(true);
  expect(forgotten.isForgotten({ text: "We deploy with npm publish" })).toBe(false);
});

it("forgets nothing if the topic was not removed", async () => {
  const { store, forgotten } = await opened();
  await store.write(topic(SHIP));
  await store.remove({ name: "deploy", ifMatch: "another", author: AGENT });
  await store.remove({ name: "missing", author: USER });
  expect(forgotten.list()).toEqual([]);
});

it("writes the tombstone before it removes the topic", async () => {
  const forgotten = openForgotten(await temporaryDirectory());
  const base = createMapTopicStore();
  await base.write(topic(SHIP));
  const seen: boolean[] = [];
  const store = withForgetting(
    {
      ...base,
      remove: async (input) => {
        seen.push(forgotten.isForgotten({ text: SHIP }));
        return await base.remove(input);
      },
    },
    forgotten,
  );
  await store.remove({ name: "deploy", author: USER });
  expect(seen).toEqual([true]);
});

it("takes the tombstone back if the store fails", async () => {
  const forgotten = openForgotten(await temporaryDirectory());
  const base = createMapTopicStore();
  await base.write(topic(SHIP));
  const broken: TopicStore = {
    ...base,
    remove: async () => await Promise.reject(new Error("disk full")),
  };
  const store = withForgetting(broken, forgotten);
  await expect(store.remove({ name: "deploy", author: USER })).rejects.toThrow("disk full");
  expect(forgotten.list()).toEqual([]);
});

it("refuses an agent that writes a forgotten statement on its own", async () => {
  const { store } = await opened();
  await store.write(topic(SHIP));
  await store.remove({ name: "deploy", author: USER });
  await expect(store.write(topic(REWORDED, AGENT))).rejects.toMatchObject({ code: "FORGOTTEN" });
  await expect(store.write(topic("We deploy with npm publish.", AGENT))).resolves.toMatchObject({
    kind: "written",
  });
});

it.for([["person", USER] as const, ["agent", { ...AGENT, origin: "user" }] as const])(
  "lifts the tombstone when the user writes it again (%s)",
  async ([, author]) => {
    const { store, forgotten } = await opened();
    await store.write(topic(SHIP));
    await store.remove({ name: "deploy", author: USER });
    await store.write(topic(REWORDED, author));
    expect(forgotten.isForgotten({ text: SHIP })).toBe(false);
  },
);

it("lets an agent move what it removed in the same session without being asked", async () => {
  const { store, forgotten } = await opened();
  await store.write(topic(SHIP));
  await store.remove({ name: "deploy", author: AGENT });
  expect(forgotten.isForgotten({ text: SHIP })).toBe(true);
  const elsewhere = { ...topic(SHIP, AGENT), name: "shipping" };
  const other = { ...elsewhere, author: { who: "agent", session: "s2" } as const };
  await expect(store.write(other)).rejects.toMatchObject({ code: "FORGOTTEN" });
  await store.write(elsewhere);
  expect(forgotten.isForgotten({ text: SHIP })).toBe(false);
});

it("keeps what another topic still says", async () => {
  const { store, forgotten } = await opened();
  await store.write(topic(SHIP));
  await store.write({ ...topic(REWORDED), name: "shipping" });
  await store.remove({ name: "deploy", author: USER });
  expect(forgotten.isForgotten({ text: SHIP })).toBe(false);
});

it("forgets nothing in a rename", async () => {
  const { store, forgotten } = await opened();
  await store.write(topic(SHIP));
  await store.rename({ from: "deploy", to: "shipping", author: USER });
  expect(forgotten.list()).toEqual([]);
});

it("forgets a sentence that an edit takes out, and not one that it rewords or updates", async () => {
  const { store, forgotten } = await opened();
  const body = `${SHIP} The pool has 20 connections. Use vitest for tests. Never push on Fridays.`;
  await store.write(topic(body));
  const next = `${REWORDED} The pool has 50 connections. Never push on Fridays.`;
  const current = await store.read("deploy");
  const text = current?.text.replace(body, next) ?? "";
  await store.edit({ name: "deploy", text, ifMatch: current?.hash, author: USER });
  expect(forgotten.isForgotten({ text: "Use vitest for tests" })).toBe(true);
  expect(forgotten.isForgotten({ text: SHIP })).toBe(false);
  expect(forgotten.isForgotten({ text: "The pool has 20 connections" })).toBe(false);
});

it("tells a new text for a topic from one that only leaves something out", async () => {
  const { store, forgotten } = await opened();
  await store.write(topic(`${SHIP} Use vitest for tests.`));
  await store.write({ ...topic("All about releases, in new words.", AGENT), replace: true });
  expect(forgotten.list()).toEqual([]);
  await store.write({ ...topic(`${SHIP} Use vitest for tests.`), replace: true });
  await store.write({ ...topic(SHIP, AGENT), replace: true });
  expect(forgotten.isForgotten({ text: "Use vitest for tests" })).toBe(true);
});

it("forgets what an undo takes back, and remembers it again when that is undone", async () => {
  const { store, forgotten } = await opened();
  await store.write(topic(SHIP));
  const { change } = await store.undo({ author: USER });
  expect(forgotten.isForgotten({ text: REWORDED })).toBe(true);
  await store.undo({ id: change, author: USER });
  expect(forgotten.isForgotten({ text: REWORDED })).toBe(false);
  await store.remove({ name: "deploy", author: USER });
  expect(forgotten.isForgotten({ text: REWORDED })).toBe(true);
  await store.undo({ author: USER });
  expect(forgotten.isForgotten({ text: REWORDED })).toBe(false);
});

it("excludes the turns that led to a topic in the session that wrote it", async () => {
  const forgotten = openForgotten(await temporaryDirectory());
  const said = { session: "s1", byte: 10, text: "The ship script of pnpm does it all." };
  const other = { session: "s1", byte: 20, text: "Fix the tests." };
  const store = withForgetting(createMapTopicStore(), forgotten, {
    turns: async function* (sessions) {
      expect(sessions).toEqual(["s1"]);
      yield said;
      yield other;
    },
  });
  await store.write(topic(SHIP, AGENT));
  await store.remove({ name: "deploy", author: USER });
  expect(forgotten.isExcluded(said)).toBe(true);
  expect(forgotten.isExcluded(other)).toBe(false);
  expect(forgotten.excludedSessions()).toMatchObject([{ session: "s1" }]);
});
