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

/** What is promised about writing, reading, renaming and removing. */
export const WRITE_CASES: ContractCases = {
  "begins empty": async (createStore) => {
    const store = await createStore({});
    expectEqual(await store.list(), { topics: [], problems: [] }, "a new store lists nothing");
    expectEqual(await store.read("deploy-checklist"), undefined, "and has no topic");
    expectEqual(slugs(await store.index()), [], "and an index without lines");
  },
  "gives back what was written": async (createStore) => {
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
      "the topic as it was written",
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
  "writes the index line with the topic, the newest first": async (createStore) => {
    const store = await createStore({});
    const { indexLine } = await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "second" });
    const index = await store.index();
    expectEqual(slugs(index), ["second", TOPIC.name], "the lines");
    expectEqual(
      indexLine,
      "- [deploy-checklist](deploy-checklist.md) — project: run migrations before flipping the flag",
      "the form of a line",
    );
    expectEqual(index.split("\n").includes(indexLine), true, "the line is in the index");
  },
  "replaces nothing that the writer has not seen": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    const blind = await store.write({ ...TOPIC, body: "Other." });
    expectEqual(summary(blind), ["conflict", "exists", hash], "without a hash");
    const stale = await store.write({ ...TOPIC, body: "Other.", ifMatch: "000000000000" });
    expectEqual(summary(stale), ["conflict", "changed", hash], "with another hash");
    expectEqual((await readExisting(store, TOPIC.name)).topic.body, TOPIC.body, "the topic stays");
    const seen = await writeNew(store, { ...TOPIC, body: "Other.", ifMatch: hash });
    expectEqual([seen.isNew, seen.hash === hash], [false, false], "with its hash it is replaced");
    expectEqual((await readExisting(store, TOPIC.name)).topic.body, "Other.", "the new body");
    expectEqual(slugs(await store.index()), [TOPIC.name], "one line still");
  },
  "says when what was to be replaced is gone": async (createStore) => {
    const store = await createStore({});
    expectEqual(
      (await store.write({ ...TOPIC, ifMatch: "000000000000" })).kind,
      "missing",
      "no topic",
    );
    expectEqual((await store.list()).topics.length, 0, "nothing was written");
  },
  "replaces whatever is there when a person says so": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, body: "Other.", replace: true });
    expectEqual((await readExisting(store, TOPIC.name)).topic.body, "Other.", "the new body");
  },
  "keeps comments, order and keys it does not know": async (createStore) => {
    const store = await createStore({ "deploy-checklist.md": HAND_MADE });
    const { hash } = await readExisting(store, TOPIC.name);
    await writeNew(store, { ...TOPIC, ifMatch: hash });
    const { text } = await readExisting(store, TOPIC.name);
    const kept = ["# kept since 2024", "# said by Ann", "owner: Ann", "reviewed: 2024-05-01"];
    expectEqual(
      kept.filter((part) => !text.includes(part)),
      [],
      "everything a person put there",
    );
    const keys = [...text.matchAll(/^(\w+):/gm)].map(([, key]) => key);
    expectEqual(keys, ["name", "description", "owner", "metadata"], "in the same order");
  },
  "reads what Claude Code writes": async (createStore) => {
    const store = await createStore({ "user_role.md": CLAUDE_CODE });
    const { topic } = await readExisting(store, "user_role");
    expectEqual(
      [topic.type, topic.description, topic.body, topic.problems],
      ["user", "data scientist, new to React", "Explain frontend in terms of data frames.", []],
      "flat type, underscore name",
    );
  },
  "reads a file without a header, and says what is missing": async (createStore) => {
    const store = await createStore({ "note.md": "Just a note.\n" });
    const { topic } = await readExisting(store, "note");
    expectEqual([topic.body, topic.problems[0]?.code], ["Just a note.", "NO_HEADER"], "the note");
  },
  "removes a topic with its line": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "second" });
    const stale = await store.remove({ ...TOPIC, ifMatch: "000000000000" });
    expectEqual(stale.kind, "conflict", "another hash");
    expectEqual((await store.remove({ ...TOPIC, ifMatch: hash })).kind, "removed", "its hash");
    expectEqual(await store.read(TOPIC.name), undefined, "it is gone");
    expectEqual(slugs(await store.index()), ["second"], "and its line");
    expectEqual((await store.remove(TOPIC)).kind, "missing", "a second time there is nothing");
  },
  "renames a topic in its place, and the links to it": async (createStore) => {
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
      "the place in the index",
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
    expectEqual(third.topic.body, "[[other]] and [[flags]]", "in any case");
    expectEqual(await store.read("feature-flags"), undefined, "the old name is gone");
  },
  "renames nothing onto another topic": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, TOPIC);
    await writeNew(store, { ...TOPIC, name: "second" });
    const result = await store.rename({ ...TOPIC, from: "second", to: TOPIC.name });
    expectEqual(result.kind, "conflict", "it is taken");
    const missing = await store.rename({ ...TOPIC, from: "third", to: "fourth" });
    expectEqual(missing.kind, "missing", "there is no third");
    expectEqual((await store.list()).topics.length, 2, "both are there");
  },
};
