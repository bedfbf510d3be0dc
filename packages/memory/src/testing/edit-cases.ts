import { expectCode, expectEqual } from "./expect-equal.ts";
import {
  HAND_MADE,
  LINE,
  TOPIC,
  type ContractCases,
  readExisting,
  slugs,
  writeNew,
} from "./topic-fixtures.ts";

const { name, author } = TOPIC;
const SECRET = ["AK", "IAQWERTYUIOPASDFGH"].join("");

/** Cases about edits of whole files. */
export const EDIT_CASES: ContractCases = {
  "replaces a whole file, header included, with its index line": async (createStore) => {
    const store = await createStore({ "deploy-checklist.md": HAND_MADE });
    const { hash } = await readExisting(store, name);
    const text = HAND_MADE.replace("old words", "new words").replace("Old body.", "New body.");
    const result = await store.edit({ name, text, ifMatch: hash, author });
    const read = await readExisting(store, name);
    expectEqual(read.text, text, "the file as given");
    expectEqual(
      result.kind === "edited" && [result.isNew, result.slug, result.topic.hash],
      [false, name, read.hash],
      "the result",
    );
    expectEqual((await store.index()).includes("— project: new words"), true, "the index line");
  },
  "rejects an edit of a version that the editor has not seen": async (createStore) => {
    const store = await createStore({ "deploy-checklist.md": HAND_MADE });
    const text = HAND_MADE.replace("Old", "New");
    const kinds = [
      (await store.edit({ name, text, ifMatch: "000000000000", author })).kind,
      (await store.edit({ name, text, author })).kind,
      (await store.edit({ name: "DEPLOY-Checklist", text, author })).kind,
      (await store.edit({ name: "other", text, ifMatch: "000000000000", author })).kind,
    ];
    expectEqual(kinds, ["conflict", "conflict", "conflict", "missing"], "the results");
    expectEqual((await readExisting(store, name)).text, HAND_MADE, "the file is unchanged");
    expectEqual((await store.list()).topics.length, 1, "no topic was added");
  },
  "reports an edit that changes nothing": async (createStore) => {
    const store = await createStore({ "deploy-checklist.md": HAND_MADE });
    const { hash } = await readExisting(store, name);
    const result = await store.edit({ name, text: HAND_MADE, ifMatch: hash, author });
    expectEqual(result.kind, "unchanged", "the same text");
  },
  "finds the topic to edit whatever the case of its name": async (createStore) => {
    const store = await createStore({ "deploy-checklist.md": HAND_MADE });
    const { hash } = await readExisting(store, name);
    const text = HAND_MADE.replace("Old", "New");
    const result = await store.edit({ name: "Deploy-Checklist", text, ifMatch: hash, author });
    expectEqual(
      [result.kind, slugs(await store.index())],
      ["edited", [name]],
      "the existing topic",
    );
    expectEqual((await readExisting(store, name)).text, text, "the file");
  },
  "creates a topic from plain text, described by its first line": async (createStore) => {
    const store = await createStore({});
    const text = `\n# ${TOPIC.description} \n\n${TOPIC.body}\n`;
    const result = await store.edit({ name, text, fallbackType: "project", author });
    const { topic } = await readExisting(store, name);
    expectEqual(result.kind === "edited" && result.isNew, true, "it is new");
    expectEqual(
      [topic.description, topic.type, topic.name, topic.session, topic.problems],
      [TOPIC.description, "project", name, "s-1", []],
      "the header",
    );
    expectEqual(topic.body, `# ${TOPIC.description} \n\n${TOPIC.body}`, "the whole text");
    expectEqual((await store.index()).includes(LINE), true, "the index line");
  },
  "describes a topic by at most 120 characters of its first line with words": async (
    createStore,
  ) => {
    const store = await createStore({});
    const text = `***\n\n## ${"é".repeat(200)}\nrest`;
    await store.edit({ name, text, fallbackType: "user", author });
    const { topic } = await readExisting(store, name);
    expectEqual([topic.description, topic.type], [`${"é".repeat(119)}…`, "user"], "cut");
  },
  "uses the header of a text and keeps its unknown keys": async (createStore) => {
    const store = await createStore({});
    const text =
      "---\n# mine\nowner: Ann # of QA\ntype: feedback\ndescription: as it is\n---\n\n# Title\n";
    await store.edit({ name, text, fallbackType: "project", author });
    const stored = await readExisting(store, name);
    expectEqual(
      [stored.topic.description, stored.topic.type, stored.topic.body, stored.topic.problems],
      ["as it is", "feedback", "# Title", []],
      "the values",
    );
    const kept = ["# mine", "owner: Ann # of QA"];
    expectEqual(
      kept.filter((part) => !stored.text.includes(part)),
      [],
      "the unknown keys",
    );
  },
  "rejects malformed files": async (createStore) => {
    const store = await createStore({ "deploy-checklist.md": HAND_MADE });
    const { hash } = await readExisting(store, name);
    const header = "---\ndescription: x\ntype: user\n---\n";
    const refused = {
      "no header": "Just text.\n",
      "a broken header": "---\n[\n---\n\nText.\n",
      "no type": "---\ndescription: x\n---\n\nText.\n",
      "an unknown type": "---\ndescription: x\ntype: whim\n---\n\nText.\n",
      "no body": `${header}\n \n`,
      "a huge body": `${header}\n${"x".repeat(262_145)}\n`,
      "a huge file": "x".repeat(400_000),
    };
    for (const [what, text] of Object.entries(refused)) {
      const edit = { name, text, ifMatch: hash, author };
      await expectCode(() => store.edit(edit), "INVALID_TOPIC", what);
    }
    const huge = { name, text: "x".repeat(400_000), ifMatch: hash, author };
    await expectCode(
      () => store.edit({ ...huge, allowMalformed: true }),
      "INVALID_TOPIC",
      "a file too large to be read again",
    );
    for (const text of [
      "",
      " \n",
      "---\n[\n---\nx",
      "---\ntype: whim\n---\nx",
      "---\nnever ends",
    ]) {
      const made = { name: "new", text, fallbackType: "user", author } as const;
      await expectCode(() => store.edit(made), "INVALID_TOPIC", JSON.stringify(text));
    }
    expectEqual((await readExisting(store, name)).text, HAND_MADE, "the file is unchanged");
    expectEqual((await store.list()).topics.length, 1, "no topic was added");
  },
  "accepts a malformed file if allowed": async (createStore) => {
    const store = await createStore({ "note.md": "Just a note.\n" });
    const { hash } = await readExisting(store, "note");
    const edit = { name: "note", text: "Another note.\n", ifMatch: hash, author };
    await store.edit({ ...edit, allowMalformed: true });
    expectEqual((await readExisting(store, "note")).text, "Another note.\n", "the text as given");
  },
  "rejects secrets in whole files and in new names": async (createStore) => {
    const store = await createStore({ "deploy-checklist.md": HAND_MADE });
    const { hash } = await readExisting(store, name);
    const text = HAND_MADE.replace("Old body.", `The key is ${SECRET}.`);
    await expectCode(
      () => store.edit({ name, text, ifMatch: hash, author }),
      "SECRET_FOUND",
      "in the text",
    );
    const plain = { text: "Text.", fallbackType: "user", author } as const;
    await expectCode(() => store.edit({ ...plain, name: SECRET }), "SECRET_FOUND", "in the name");
    await expectCode(
      () => store.rename({ from: name, to: SECRET, author }),
      "SECRET_FOUND",
      "in a new name",
    );
    expectEqual((await readExisting(store, name)).text, HAND_MADE, "the file is unchanged");
    await store.edit({ name, text, ifMatch: hash, author, allowSecrets: true });
    expectEqual((await readExisting(store, name)).text, text, "unless the user insists");
  },
  "updates the time of an edit unless the editor set it": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, TOPIC);
    const before = await readExisting(store, name);
    const text = before.text.replace("First the", "First all");
    await store.edit({ name, text, ifMatch: before.hash, author });
    const after = await readExisting(store, name);
    expectEqual(after.updatedMs > before.updatedMs, true, "the time is later");
    const dated = after.text.replace(after.topic.updated ?? "", "2020-01-02T03:04:05.000Z");
    await store.edit({ name, text: dated, ifMatch: after.hash, author });
    expectEqual((await readExisting(store, name)).text, dated, "the time that the editor set");
  },
};
