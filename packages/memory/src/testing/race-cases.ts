import type { TopicStore } from "../store/topic-store.ts";
import { expectEqual } from "./expect-equal.ts";
import { type ContractCases, readExisting, slugs, TOPIC, writeNew } from "./topic-fixtures.ts";

/** Cases about several writers at once, through several instances of the store where that is possible. */
export const RACE_CASES: ContractCases = {
  "lets exactly one of several writers replace a version": async (createStore, reopen) => {
    const stores = await openAll(await createStore({}), reopen);
    const [store] = stores;
    const { hash } = await writeNew(store, TOPIC);
    const results = await Promise.all(
      stores.map((each, at) => each.write({ ...TOPIC, body: `By ${at}.`, ifMatch: hash })),
    );
    const kinds = results.map(({ kind }) => kind);
    expectEqual(
      kinds.filter((kind) => kind === "written").length,
      1,
      `two writers with one version were both told that their text is saved (${kinds.join(", ")}): the store has no isolation`,
    );
    const winner = kinds.indexOf("written");
    expectEqual(
      (await readExisting(store, TOPIC.name)).topic.body,
      `By ${winner}.`,
      "the text of the writer that was told so",
    );
  },
  "keeps every topic and every line of writers at the same time": async (createStore, reopen) => {
    const stores = await openAll(await createStore({}), reopen);
    const names = stores.flatMap((_, at) => [`first-${at}`, `second-${at}`]);
    await Promise.all(
      stores.flatMap((store, at) =>
        ["first", "second"].map((name) => writeNew(store, { ...TOPIC, name: `${name}-${at}` })),
      ),
    );
    const [store] = stores;
    expectEqual(
      (await store.list()).topics.map(({ slug }) => slug as string).toSorted(),
      names.toSorted(),
      "an acknowledged topic is missing",
    );
    expectEqual(
      slugs((await store.storedIndex()) ?? "").toSorted(),
      names.toSorted(),
      "the line of an acknowledged topic is missing",
    );
    expectEqual((await store.log()).length, names.length, "an acknowledged change is missing");
  },
  "creates only one topic of names that differ in case": async (createStore, reopen) => {
    const [store, ...others] = await openAll(await createStore({}), reopen);
    const names = ["deploy", "Deploy", "DEPLOY", "dEPLOY"];
    const results = await Promise.all(
      names.map((name, at) => (others[at] ?? store).write({ ...TOPIC, name })),
    );
    expectEqual(
      results.map(({ kind }) => kind).toSorted(),
      ["conflict", "conflict", "conflict", "written"],
      "some file systems do not tell these names apart",
    );
  },
};

async function openAll(
  store: TopicStore,
  reopen: (store: TopicStore) => Promise<TopicStore>,
): Promise<readonly [TopicStore, ...TopicStore[]]> {
  return [store, await reopen(store), await reopen(store), await reopen(store)];
}
