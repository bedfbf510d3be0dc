import type { TopicFields } from "../topics/topic-fields.ts";
import { expectCode, expectEqual } from "./expect-equal.ts";
import { type ContractCases, HAND_MADE, readExisting, TOPIC, writeNew } from "./topic-fixtures.ts";

const { name } = TOPIC;
const author = { who: "person" } as const;
const SECRET = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
// That of "hello\n", which looks as random as any.
const SHA256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
const FIELDS = {
  applies: { paths: ["src/db/**"], commands: ["npm *"] },
  supersedes: ["old-deploy"],
  evidence: [{ path: "src/db/pool.ts", sha256: SHA256, snippet: "\tmax: 20," }],
  expect: ["Which tool deploys? pnpm ship"],
} satisfies TopicFields;

/** Cases about the fields that decide when a topic is shown. */
export const FIELD_CASES: ContractCases = {
  "keeps the fields that a write leaves out, and removes those that are empty": async (
    createStore,
  ) => {
    const store = await createStore({ [`${name}.md`]: HAND_MADE });
    const origin = "user" as const;
    const replaced = { ...TOPIC, replace: true };
    await writeNew(store, { ...replaced, ...FIELDS, author: { who: "agent", origin } });
    const written = await readExisting(store, name);
    expectEqual(fieldsOf(written.topic), { ...FIELDS, origin }, "the fields as written");
    await writeNew(store, { ...replaced, body: "Other text." });
    const kept = await readExisting(store, name);
    expectEqual(fieldsOf(kept.topic), FIELDS, "all but the origin, which is that of a write");
    await writeNew(store, { ...replaced, supersedes: [], evidence: [] });
    const { applies, expect } = FIELDS;
    const removed = await readExisting(store, name);
    expectEqual(fieldsOf(removed.topic), { applies, expect }, "empty lists are removed");
    expectEqual(removed.text.includes("owner: Ann"), true, "the user's keys are kept");
  },
  "rejects fields that are too long, leave the workspace or contain secrets": async (
    createStore,
  ) => {
    const store = await createStore({});
    const sha256 = "0".repeat(64);
    const invalid: readonly TopicFields[] = [
      { applies: { paths: ["/etc/passwd"], commands: [] } },
      { applies: { paths: ["src/../../x"], commands: [] } },
      { applies: { paths: ["{a*,b*}*".repeat(12)], commands: [] } },
      { applies: { paths: Array.from({ length: 100 }, (_, at) => `a${at}`), commands: [] } },
      { applies: { paths: [], commands: ["*a".repeat(20)] } },
      { applies: { paths: [], commands: ["a\nb"] } },
      { evidence: [{ path: "C:\\x", sha256, snippet: "a" }] },
      { evidence: [{ path: "a", sha256: "x", snippet: "a" }] },
      { evidence: [{ path: "a", sha256, snippet: "a\nb" }] },
      { expect: ["x".repeat(5_000)] },
      { supersedes: [name.toUpperCase()] },
    ];
    for (const fields of invalid) {
      const label = `not ${JSON.stringify(fields).slice(0, 80)}`;
      await expectCode(() => store.write({ ...TOPIC, ...fields }), "INVALID_TOPIC", label);
    }
    const escaping = { supersedes: ["../x"] };
    await expectCode(() => store.write({ ...TOPIC, ...escaping }), "INVALID_SLUG", "not ../x");
    const secret: readonly TopicFields[] = [
      { applies: { paths: [], commands: [`curl -H ${SECRET}`] } },
      { evidence: [{ path: "a", sha256, snippet: `key = ${SECRET}` }] },
      { expect: [`Which key? ${SECRET}`] },
    ];
    for (const fields of secret) {
      await expectCode(() => store.write({ ...TOPIC, ...fields }), "SECRET_FOUND", "a secret");
    }
    expectEqual((await store.list()).topics.length, 0, "nothing was written");
  },
  "escapes what is literal in a path and not in a glob": async (createStore) => {
    const store = await createStore({});
    const paths = ["app/(shop)/page.tsx", "[a-z]+[a-z]+x", "src/+page.svelte", "a/\\(b\\)"];
    await writeNew(store, { ...TOPIC, applies: { paths, commands: [] } });
    const escaped = ["app/\\(shop\\)/page.tsx", "[a-z]\\+[a-z]\\+x", ...paths.slice(2)];
    expectEqual((await store.read(name))?.topic.applies?.paths, escaped, "the globs");
  },
  "says in the index which topics are superseded, until nothing supersedes them": async (
    createStore,
  ) => {
    const store = await createStore({ "old.md": HAND_MADE.replace(name, "old") });
    const lineOf = async (): Promise<string> =>
      (await store.index()).split("\n").find((line) => line.startsWith("- [old](old.md)")) ?? "";
    const mark = ` (superseded by [${name}](${name}.md))`;
    const plain = await lineOf();
    const written = await store.write({ ...TOPIC, author, supersedes: ["old", "older"] });
    if (written.kind !== "written") throw new Error(`not written: ${written.kind}`);
    const warning = written.warning ?? "";
    expectEqual(/no topic (.+) exists/.exec(warning)?.[1], "older", "the name without a topic");
    expectEqual(await lineOf(), `${plain}${mark}`, "the line after the write");
    await store.rebuildIndex();
    expectEqual(await lineOf(), `${plain}${mark}`, "the line after a rebuild");
    await store.rename({ from: name, to: "newer", author });
    expectEqual(await lineOf(), `${plain} (superseded by [newer](newer.md))`, "after a rename");
    await store.remove({ name: "newer", author });
    expectEqual(await lineOf(), plain, "the line after the newer topic was removed");
  },
  "rejects topics that supersede each other in a circle, and reads such files": async (
    createStore,
  ) => {
    const store = await createStore({});
    await writeNew(store, { ...TOPIC, name: "one" });
    await writeNew(store, { ...TOPIC, name: "two", supersedes: ["one"] });
    await writeNew(store, { ...TOPIC, name: "three", supersedes: ["two", "missing"] });
    const circle = { ...TOPIC, name: "one", replace: true, supersedes: ["three"] };
    await expectCode(() => store.write(circle), "INVALID_TOPIC", "a circle of three");
    const one = await readExisting(store, "one");
    const text = one.text.replace("metadata:", 'supersedes: ["two"]\nmetadata:');
    const edit = { name: "one", text, ifMatch: one.hash, author };
    await expectCode(() => store.edit(edit), "INVALID_TOPIC", "a circle of two in an edit");
    await store.edit({ ...edit, allowMalformed: true });
    const read = await readExisting(store, "one");
    expectEqual(read.topic.supersedes, ["two"], "a file that is circular already is read");
    const body = read.text.replace("First the", "First all");
    const edited = await store.edit({ name: "one", text: body, ifMatch: read.hash, author });
    expectEqual(edited.kind, "edited", "and edited");
  },
  "follows a renamed topic in the list of those it supersedes": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, { ...TOPIC, name: "old" });
    await writeNew(store, { ...TOPIC, name: "new", supersedes: ["old"], body: "No links." });
    await store.rename({ from: "old", to: "older", author });
    expectEqual((await readExisting(store, "new")).topic.supersedes, ["older"], "the new name");
  },
  "edits the whole file of a topic with evidence": async (createStore) => {
    const store = await createStore({});
    await writeNew(store, { ...TOPIC, ...FIELDS });
    const before = await readExisting(store, name);
    const text = before.text.replace("First the", "First all");
    const edited = await store.edit({ name, text, ifMatch: before.hash, author });
    expectEqual(edited.kind, "edited", "a checksum is not taken for a secret");
    expectEqual(fieldsOf((await readExisting(store, name)).topic), FIELDS, "the same fields");
  },
};

function fieldsOf({ applies, supersedes, evidence, expect, origin }: TopicFields): TopicFields {
  const fields = { applies, supersedes, evidence, expect, origin };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
