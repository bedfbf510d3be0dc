import { indexLines } from "../topic/index-lines.ts";
import type { StoredTopic, TopicStore, WriteTopicInput, WriteTopicResult } from "../topic/store.ts";
import { expectCode, expectEqual } from "./expect-equal.ts";

/** One promise of the interface, to be handed to any test runner: `it(name, run)`. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Makes a store that begins with these files, by their names: `MEMORY.md` and `<slug>.md`. */
export type CreateStore = (files: Readonly<Record<string, string>>) => Promise<TopicStore>;

type Promised = (createStore: CreateStore) => Promise<void>;

/** What every TopicStore promises. */
export function topicStoreCases(createStore: CreateStore): readonly ContractCase[] {
  return Object.entries(PROMISES).map(([name, promise]) => ({
    name,
    run: () => promise(createStore),
  }));
}

const TOPIC = {
  name: "deploy-checklist",
  description: "run migrations before flipping the flag",
  type: "project",
  body: "First the migrations.\n\nThen the flag; see [[feature-flags]].",
  author: { who: "agent", session: "s-1", after: ["Read"] },
} as const satisfies WriteTopicInput;

const HAND_MADE = `---
# kept since 2024
name: deploy-checklist
description: old words # said by Ann
owner: Ann
metadata:
  reviewed: 2024-05-01
  type: project
---

Old body.
`;

const CLAUDE_CODE = `---
name: User role
description: data scientist, new to React
type: user
---

Explain frontend in terms of data frames.
`;

const PROMISES: Readonly<Record<string, Promised>> = {
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
  "refuses names that could leave its place": async (createStore) => {
    const store = await createStore({});
    for (const name of [
      "",
      "../x",
      "a/b",
      String.raw`a\b`,
      "..",
      ".hidden",
      "MEMORY",
      "memory",
      "a\0b",
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- each on its own
      await expectCode(() => store.read(name), "INVALID_SLUG", `reading ${JSON.stringify(name)}`);
      // oxlint-disable-next-line no-await-in-loop
      await expectCode(
        () => store.write({ ...TOPIC, name }),
        "INVALID_SLUG",
        `writing ${JSON.stringify(name)}`,
      );
      // oxlint-disable-next-line no-await-in-loop
      await expectCode(
        () => store.remove({ ...TOPIC, name }),
        "INVALID_SLUG",
        `removing ${JSON.stringify(name)}`,
      );
    }
  },
  "refuses to make names that not every file system takes": async (createStore) => {
    const store = await createStore({});
    for (const name of [
      "con",
      "a:b",
      "a*",
      "-a",
      "a.",
      "a ",
      "x".repeat(101),
      "a\nb",
      "notes.md",
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- each on its own
      await expectCode(
        () => store.write({ ...TOPIC, name }),
        "INVALID_SLUG",
        `writing ${JSON.stringify(name)}`,
      );
    }
  },
  "takes names in any script": async (createStore) => {
    const store = await createStore({});
    for (const name of ["größe", "日本語", "مرحبا", "हिन्दी", "123", "true", "null", "two words"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await writeNew(store, { ...TOPIC, name });
      // oxlint-disable-next-line no-await-in-loop
      expectEqual((await readExisting(store, name)).topic.name, name, "the name in the header");
    }
    expectEqual(slugs(await store.index()).length, 8, "a line for each");
  },
  "takes names that differ in case for one topic": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    const other = await store.write({ ...TOPIC, name: "Deploy-Checklist" });
    expectEqual(summary(other), ["conflict", "exists", hash], "it is there already");
    expectEqual((await readExisting(store, "DEPLOY-CHECKLIST")).slug, TOPIC.name, "and is found");
  },
  "refuses descriptions and bodies that are none": async (createStore) => {
    const store = await createStore({});
    for (const description of ["", " ", "two\nlines", "a\u001Bb", "x".repeat(121)]) {
      // oxlint-disable-next-line no-await-in-loop -- each on its own
      await expectCode(
        () => store.write({ ...TOPIC, description }),
        "INVALID_TOPIC",
        JSON.stringify(description),
      );
    }
    await expectCode(() => store.write({ ...TOPIC, body: " \n" }), "INVALID_TOPIC", "a blank body");
    await expectCode(
      () => store.write({ ...TOPIC, body: "x".repeat(262_145) }),
      "INVALID_TOPIC",
      "a huge body",
    );
    expectEqual((await store.list()).topics.length, 0, "nothing was written");
  },
  "refuses secrets, unless a person insists": async (createStore) => {
    const store = await createStore({});
    const body = `The key is AK${"IA"}QWERTYUIOPASDFGH.`;
    await expectCode(() => store.write({ ...TOPIC, body }), "SECRET_FOUND", "a key in the body");
    expectEqual((await store.list()).topics.length, 0, "nothing was written");
    await writeNew(store, { ...TOPIC, body, allowSecrets: true });
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
  "keeps what a person wrote into the index": async (createStore) => {
    const index =
      "# My index\n\nRead this first!\n\n- a line of mine\n- [old](old.md) my own words\n\n## Later\n\nBye.\n";
    const store = await createStore({ "MEMORY.md": index, "old.md": HAND_MADE });
    await writeNew(store, TOPIC);
    const expected = index.replace("- [old]", () => `${LINE}\n- [old]`);
    expectEqual(await store.index(), expected, "one line more, before the first");
    await store.remove(TOPIC);
    expectEqual(await store.index(), index, "and again without it");
  },
  "takes no line in a comment or a code block for one of its own": async (createStore) => {
    const hidden =
      "<!--\n- [deploy-checklist](deploy-checklist.md) — old\n-->\n\n```\n- [deploy-checklist](deploy-checklist.md)\n```\n";
    const store = await createStore({ "MEMORY.md": hidden });
    await writeNew(store, TOPIC);
    expectEqual(await store.index(), `${hidden}\n${LINE}\n`, "a line of its own");
  },
  "shows a topic that has no line, and no line that has no topic": async (createStore) => {
    const store = await createStore({
      "MEMORY.md":
        "# Memory index\n\n- [gone](gone.md) — project: gone\n- [here](here.md) — project: here\n",
      "here.md": HAND_MADE,
      "orphan.md": CLAUDE_CODE,
    });
    expectEqual(slugs(await store.index()), ["orphan", "here"], "healed");
    await writeNew(store, TOPIC);
    expectEqual(slugs(await store.index()), [TOPIC.name, "orphan", "here"], "also after a write");
  },
  "makes every line anew from the topics": async (createStore) => {
    const store = await createStore({
      "MEMORY.md":
        "Mine.\n\n- [here](here.md) — project: stale words\n- [gone](gone.md)\n\nAlso mine.\n",
      "here.md": HAND_MADE,
      "orphan.md": CLAUDE_CODE,
    });
    const { added, dropped, isChanged, text } = await store.rebuildIndex();
    expectEqual([added, dropped, isChanged], [["orphan"], ["gone"], true], "what it did");
    expectEqual(
      text,
      "Mine.\n\n- [orphan](orphan.md) — user: data scientist, new to React\n- [here](here.md) — project: old words\n\nAlso mine.\n",
      "the index",
    );
    expectEqual((await store.rebuildIndex()).isChanged, false, "a second time changes nothing");
  },
  "warns from four fifths of the index on, and says what to do": async (createStore) => {
    const lines = Array.from({ length: 158 }, (_, at) => `- line ${at}\n`).join("");
    const store = await createStore({ "MEMORY.md": lines });
    const first = await writeNew(store, TOPIC);
    expectEqual(first.warning?.includes("160 of 200 lines"), true, "160 lines, one of them blank");
    expectEqual(first.warning?.includes("down to 140 lines and 17920 bytes"), true, "the target");
    const roomy = await createStore({ "MEMORY.md": lines.slice(0, 1000) });
    expectEqual((await writeNew(roomy, TOPIC)).warning, undefined, "no word before that");
  },
};

const LINE =
  "- [deploy-checklist](deploy-checklist.md) — project: run migrations before flipping the flag";

async function writeNew(
  store: TopicStore,
  input: WriteTopicInput,
): Promise<WriteTopicResult & { readonly kind: "written" }> {
  const result = await store.write(input);
  if (result.kind === "written") return result;
  throw new Error(`${input.name} was not written: ${result.kind}`);
}

async function readExisting(store: TopicStore, name: string): Promise<StoredTopic> {
  const topic = await store.read(name);
  if (topic !== undefined) return topic;
  throw new Error(`there is no topic ${name}`);
}

function slugs(index: string): readonly string[] {
  return indexLines(index).map(({ slug }) => slug);
}

function summary(result: WriteTopicResult): readonly (string | undefined)[] {
  return result.kind === "conflict"
    ? [result.kind, result.reason, result.current.hash]
    : [result.kind];
}
