import { expectEqual } from "./expect-equal.ts";
import { type ContractCases, readExisting, slugs, TOPIC, writeNew } from "./topic-fixtures.ts";

const author = { who: "person" } as const;

/** Cases about the history, undo and imports. */
export const HISTORY_CASES: ContractCases = {
  "records every change with its author, newest first": async (createStore) => {
    const store = await createStore({});
    const by = { who: "agent", agent: "caliban", user: "ann", session: "s-1" } as const;
    const { hash, change } = await writeNew(store, { ...TOPIC, author: by });
    await store.remove({ name: TOPIC.name, ifMatch: hash, author });
    const log = await store.log(TOPIC.name);
    expectEqual(
      log.map(({ action, who, agent, user, session }) => [action, who, agent, user, session]),
      [
        ["remove", "person", undefined, undefined, undefined],
        ["write", "agent", "caliban", "ann", "s-1"],
      ],
      "the changes and their authors",
    );
    expectEqual(log[1]?.id, change, "the id that the write returned");
  },
  "takes back a write, a removal and a rename": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    const { text } = await readExisting(store, TOPIC.name);
    await writeNew(store, { ...TOPIC, body: "Other.", ifMatch: hash });
    await store.undo({ author });
    expectEqual((await readExisting(store, TOPIC.name)).text, text, "the text before the write");
    await store.remove({ name: TOPIC.name, author });
    await store.undo({ author });
    expectEqual((await readExisting(store, TOPIC.name)).text, text, "the removed text");
    await store.rename({ from: TOPIC.name, to: "renamed", author });
    await store.undo({ author });
    expectEqual((await readExisting(store, TOPIC.name)).text, text, "the renamed text");
    expectEqual(slugs(await store.index()), [TOPIC.name], "its line");
  },
  "does not undo a change of a topic that has changed since then": async (createStore) => {
    const store = await createStore({});
    const { hash, change } = await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, body: "Other.", ifMatch: hash });
    const code = await store.undo({ id: change, author }).then(
      () => "undone",
      (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
    );
    expectEqual(code, "CHANGED_SINCE", "the refusal");
    expectEqual((await readExisting(store, TOPIC.name)).topic.body, "Other.", "the newer text");
  },
  "erases the texts of a topic from the history for good": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, { ...TOPIC, body: "The word is xyzzy." });
    await writeNew(store, { ...TOPIC, name: "other" });
    await store.remove({ name: TOPIC.name, author });
    expectEqual(await store.erase(TOPIC.name), 2, "the number of changes");
    const log = await store.log();
    expectEqual(JSON.stringify(log).includes("xyzzy"), false, "the text is gone");
    expectEqual(
      log.map(({ isErased }) => isErased === true),
      [true, false, true],
      "the other change is kept",
    );
  },
  "erases the text of one change, and keeps all others": async (createStore) => {
    const store = await createStore({});
    const first = await writeNew(store, { ...TOPIC, body: "The word is xyzzy." });
    const second = await writeNew(store, { ...TOPIC, body: "Plover.", ifMatch: first.hash });
    await writeNew(store, { ...TOPIC, body: "Plugh.", ifMatch: second.hash });
    expectEqual(await store.erase(TOPIC.name, first.change), 2, "the number of changes");
    const log = await store.log();
    const texts = log.map(({ files }) => [
      files[0]?.before?.match(/xyzzy|Plover|Plugh/)?.[0],
      files[0]?.after?.match(/xyzzy|Plover|Plugh/)?.[0],
    ]);
    const kept = [
      ["Plover", "Plugh"],
      [undefined, "Plover"],
      [undefined, undefined],
    ];
    expectEqual(texts, kept, "the texts");
    expectEqual(
      log.map(({ erasedAt }) => erasedAt !== undefined),
      [false, false, true],
      "which text was erased",
    );
    await store.undo({ author });
    expectEqual((await readExisting(store, TOPIC.name)).topic.body, "Plover.", "undo still works");
  },
  "renames a topic only if it has not changed": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, body: "Other.", ifMatch: hash });
    const request = { from: TOPIC.name, to: "renamed", ifMatch: hash, author };
    const result = await store.rename(request);
    expectEqual(
      [result.kind, "reason" in result ? result.reason : undefined],
      ["conflict", "changed"],
      "the result",
    );
    expectEqual(slugs(await store.index()), [TOPIC.name], "the name");
  },
  "imports files in one change, and nothing twice": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, TOPIC);
    const files = [
      {
        name: TOPIC.name,
        text: "---\ndescription: of another agent\n---\n\nText.\n",
        path: "/a.md",
      },
      { name: "second", text: "Text.\r\n", path: "/b.md" },
    ];
    const imported = await store.importTopics({ files, agent: "claude", author });
    expectEqual(
      imported.topics.map((topic) => [topic.kind, "slug" in topic ? topic.slug : undefined]),
      [
        ["imported", `${TOPIC.name}-from-claude`],
        ["imported", "second"],
      ],
      "the topics",
    );
    expectEqual((await readExisting(store, "second")).text, "Text.\r\n", "the exact text");
    const again = await store.importTopics({ files, agent: "claude", author });
    expectEqual(
      again.topics.map(({ kind }) => kind),
      ["exists", "exists"],
      "the second import",
    );
    await store.undo({ id: imported.change, author });
    expectEqual((await store.list()).topics.length, 1, "one undo takes all back");
  },
  "reads many topics at once": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "second" });
    const found = await store.readMany(["second", "missing", TOPIC.name]);
    expectEqual([...found.keys()].toSorted(), [TOPIC.name, "second"], "those that exist");
    expectEqual(found.get("second"), await store.read("second"), "the same as one by one");
  },
};
