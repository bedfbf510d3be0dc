import { expectEqual } from "./expect-equal.ts";
import {
  TOPIC,
  HAND_MADE,
  CLAUDE_CODE,
  writeNew,
  readExisting,
  slugs,
  summary,
  type ContractCases,
} from "./topic-fixtures.ts";

/** Cases about writing, reading, renaming and removing. */
export const WRITE_CASES: ContractCases = {
  "starts empty": async (createStore) => {
    const store = await createStore({});
    expectEqual(await store.list(), { topics: [], problems: [] }, "a new store lists nothing");
    expectEqual(await store.read("deploy-checklist"), undefined, "it has no topic");
    expectEqual(slugs(await store.index()), [], "its index has no lines");
  },
  "reads back what was written": async (createStore) => {
    const store = await createStore({});
    const written = await writeNew(store, TOPIC);
    const read = await readExisting(store, TOPIC.name);
    const { description, type, body, session, after, problems } = read.topic;
    expectEqual(
      { description, type, body, session, after, problems, hash: read.hash },
      {
        description: TOPIC.description,
        type: TOPIC.type,
        body: TOPIC.body,
        session: "s-1",
        after: ["Read"],
        problems: [],
        hash: written.hash,
      },
      "the topic as written",
    );
    expectEqual([written.isNew, written.slug], [true, TOPIC.name], "it is new");
  },
  "lists name, type and description, newest first": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "second", type: "user" });
    const { topics } = await store.list();
    expectEqual(
      topics.map(({ slug, type, description }) => ({ slug, type, description })),
      [
        { slug: "second", type: "user", description: TOPIC.description },
        { slug: TOPIC.name, type: "project", description: TOPIC.description },
      ],
      "the list",
    );
  },
  "writes an index line with each topic, newest first": async (createStore) => {
    const store = await createStore({});
    const { indexLine } = await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "second" });
    const index = await store.index();
    expectEqual(slugs(index), ["second", TOPIC.name], "the lines");
    expectEqual(
      indexLine,
      "- [deploy-checklist](deploy-checklist.md) — project: run migrations before flipping the flag",
      "the form of an index line",
    );
    expectEqual(index.split("\n").includes(indexLine), true, "the line is in the index");
  },
  "rejects a write over a version that the writer has not seen": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    const blind = await store.write({ ...TOPIC, body: "Other." });
    expectEqual(summary(blind), ["conflict", "exists", hash], "without a hash");
    const stale = await store.write({ ...TOPIC, body: "Other.", ifMatch: "000000000000" });
    expectEqual(summary(stale), ["conflict", "changed", hash], "with another hash");
    expectEqual(
      (await readExisting(store, TOPIC.name)).topic.body,
      TOPIC.body,
      "the topic is unchanged",
    );
    const seen = await writeNew(store, { ...TOPIC, body: "Other.", ifMatch: hash });
    expectEqual([seen.isNew, seen.hash === hash], [false, false], "a write with the current hash");
    expectEqual((await readExisting(store, TOPIC.name)).topic.body, "Other.", "the new body");
    expectEqual(slugs(await store.index()), [TOPIC.name], "one index line");
  },
  "reports a topic to replace that no longer exists": async (createStore) => {
    const store = await createStore({});
    expectEqual(
      (await store.write({ ...TOPIC, ifMatch: "000000000000" })).kind,
      "missing",
      "no topic",
    );
    expectEqual((await store.list()).topics.length, 0, "nothing was written");
  },
  "replaces any version if the user says so": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, body: "Other.", replace: true });
    expectEqual((await readExisting(store, TOPIC.name)).topic.body, "Other.", "the new body");
  },
  "keeps comments, order and unknown keys": async (createStore) => {
    const store = await createStore({ "deploy-checklist.md": HAND_MADE });
    const { hash } = await readExisting(store, TOPIC.name);
    await writeNew(store, { ...TOPIC, ifMatch: hash });
    const { text } = await readExisting(store, TOPIC.name);
    const kept = ["# kept since 2024", "# said by Ann", "owner: Ann", "reviewed: 2024-05-01"];
    expectEqual(
      kept.filter((part) => !text.includes(part)),
      [],
      "all hand-written parts",
    );
    const keys = [...text.matchAll(/^(\w+):/gm)].map(([, key]) => key);
    expectEqual(keys, ["name", "description", "owner", "metadata"], "in the same order");
  },
  "reads the format of Claude Code": async (createStore) => {
    const store = await createStore({ "user_role.md": CLAUDE_CODE });
    const { topic } = await readExisting(store, "user_role");
    expectEqual(
      [topic.type, topic.description, topic.body, topic.problems],
      ["user", "data scientist, new to React", "Explain frontend in terms of data frames.", []],
      "flat type, underscore name",
    );
  },
  "reads a file without a header and reports the problem": async (createStore) => {
    const store = await createStore({ "note.md": "Just a note.\n" });
    const { topic } = await readExisting(store, "note");
    expectEqual([topic.body, topic.problems[0]?.code], ["Just a note.", "NO_HEADER"], "the topic");
  },
  "removes a topic and its index line": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "second" });
    const stale = await store.remove({ ...TOPIC, ifMatch: "000000000000" });
    expectEqual(stale.kind, "conflict", "another hash");
    expectEqual((await store.remove({ ...TOPIC, ifMatch: hash })).kind, "removed", "its hash");
    expectEqual(await store.read(TOPIC.name), undefined, "the topic no longer exists");
    expectEqual(slugs(await store.index()), ["second"], "the index line is removed");
    expectEqual((await store.remove(TOPIC)).kind, "missing", "removing it again");
  },
  "renames a topic in place and updates the links to it": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, {
      ...TOPIC,
      name: "feature-flags",
      body: "See [[feature-flags]] itself.",
    });
    await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "third", body: "[[other]] and [[Feature-Flags]]" });
    const renamed = await store.rename({ ...TOPIC, from: "feature-flags", to: "flags" });
    expectEqual(
      renamed.kind === "renamed" && renamed.relinked.toSorted(),
      [TOPIC.name, "third"],
      "relinked",
    );
    expectEqual(
      slugs(await store.index()),
      ["third", TOPIC.name, "flags"],
      "the position in the index",
    );
    const [flags, checklist, third] = [
      await readExisting(store, "flags"),
      await readExisting(store, TOPIC.name),
      await readExisting(store, "third"),
    ];
    expectEqual(
      [flags.topic.name, flags.topic.body],
      ["flags", "See [[flags]] itself."],
      "the topic",
    );
    expectEqual(checklist.topic.body.includes("[[flags]]"), true, "the links");
    expectEqual(third.topic.body, "[[other]] and [[flags]]", "links in any case");
    expectEqual(await store.read("feature-flags"), undefined, "the old name no longer exists");
  },
  "rejects a rename to the name of another topic": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "second" });
    const result = await store.rename({ ...TOPIC, from: "second", to: TOPIC.name });
    expectEqual(result.kind, "conflict", "the name is taken");
    const missing = await store.rename({ ...TOPIC, from: "third", to: "fourth" });
    expectEqual(missing.kind, "missing", "no such topic");
    expectEqual((await store.list()).topics.length, 2, "both topics still exist");
  },
};
