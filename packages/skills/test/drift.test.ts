import {
  createMapTopicStore,
  INDEX_FILE,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_INDEX_BYTES,
  MAX_INDEX_LINES,
  parseNewTopicSlug,
  recallNote,
  TIER_TAGS,
  TOPIC_TYPES,
} from "@caliban/memory";
import { SEARCHED_KINDS } from "@caliban/memory/search";
import { createMemoryTools } from "@caliban/tools-builtin";
import { describe, expect, it } from "vitest";
import { bundledSkills } from "../src/bundled/bundled-skills.ts";

// What the skill teaches is held against the code it speaks of: a name or a number that changes there fails here.

const [skill] = bundledSkills();
const body = skill?.body ?? "";
const store = createMapTopicStore({
  sha256Hex: (text) => text,
  now: () => 0,
  findSecrets: async () => [],
});
const tools = createMemoryTools({ store, now: () => 0 });

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  readonly required?: readonly string[];
}

const fieldsOf = (name: string): readonly string[] => {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema as Schema | undefined;
  return Object.keys(schema?.properties ?? {});
};

/** The line of the skill that introduces a tool: its name, then its fields. */
const introduction = (name: string): string =>
  new RegExp(`^- \`${name}\` \\(([^)]*)\\)`, "m").exec(body)?.[1] ?? "";

describe("the auto-memory skill and the code", () => {
  it.for(tools.map(({ name }) => name))("agree on the tool %s", (name) => {
    expect(body).toContain(`\`${name}\``);
  });

  it.for(tools.map(({ name }) => name))("agree on every field of %s, in order", (name) => {
    const fields = [...introduction(name).matchAll(/`(\w+)`/g)].map(([, field]) => field);
    expect(fields).toEqual(fieldsOf(name));
  });

  it("agree on the tools there are", () => {
    const named = new Set([...body.matchAll(/`(\w*Memory\w*)`/g)].map(([, name]) => name));
    expect([...named].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it.for(TOPIC_TYPES)("agree on the type %s, with an example and one that is none", (type) => {
    const row = new RegExp(`^- \`${type}\`:([\\s\\S]*?)(?=^- |^$)`, "m").exec(body)?.[1] ?? "";
    expect(row).toMatch(/Save "/);
    expect(row).toMatch(/not\s+"/);
  });

  it("agree that there are no other types", () => {
    const section = /## The four values of `type`\n([\s\S]*?)\n## /.exec(body)?.[1] ?? "";
    expect([...section.matchAll(/^- `(\w+)`:/gm)].map(([, type]) => type)).toEqual([
      ...TOPIC_TYPES,
    ]);
    const schema = tools.find(({ name }) => name === "WriteMemoryTopic")?.inputSchema as
      | Schema
      | undefined;
    expect(schema?.properties?.["type"]?.enum).toEqual([...TOPIC_TYPES]);
  });

  it("agree on the kinds that can be searched", () => {
    const row = /^- `MemorySearch`[\s\S]*?(?=^- )/m.exec(body)?.[0] ?? "";
    for (const kind of SEARCHED_KINDS.filter((each) => each !== "all")) {
      expect(row).toContain(`\`${kind}\``);
    }
  });

  it("agree on the line that names what may apply", () => {
    const [shown = ""] = /`\[[^`]*…\]`/.exec(body) ?? [];
    const note = recallNote([{ slug: "a", description: "b" }]) ?? "";
    expect(shown).toContain("[memory");
    expect(note.startsWith(shown.slice(1, shown.indexOf("…")))).toBe(true);
  });

  it("agree on the limits of the index", () => {
    expect(body).toContain(`first ${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES / 1024} KB`);
  });

  it("agree on the length of a description", () => {
    expect(body).toContain(`at most ${MAX_DESCRIPTION_CHARACTERS} characters`);
  });

  it("agree on the tag of the index", () => {
    expect(body).toContain(`\`<${TIER_TAGS.auto}>\``);
  });

  it("agree on the name of the index", () => {
    expect(body).toContain(`\`${INDEX_FILE}\``);
  });

  it("agree on the permission category", () => {
    const categories = new Set(tools.map(({ permission }) => permission.split(".")[0]));
    expect([...categories]).toEqual(["memory"]);
    expect(body).toContain("`memory.*`");
  });

  it("agree on the form of a link", async () => {
    expect(body).toContain("`[[slug]]`");
    const { rename, write, read } = store;
    const author = { who: "agent" } as const;
    const topic = { description: "d", type: "user", author } as const;
    await write({ ...topic, name: "slug", body: "x" });
    await write({ ...topic, name: "other", body: "See [[slug]]." });
    await rename({ from: "slug", to: "renamed", author });
    expect((await read("other"))?.topic.body).toBe("See [[renamed]].");
  });

  it("agree that the name it gives as an example is one", () => {
    const example = /kebab-case \(`([^`]+)`\)/.exec(body)?.[1] ?? "";
    expect(parseNewTopicSlug(example)).toBe(example);
  });

  it("agree that a change needs the hash, and a new topic does not", () => {
    const required = (name: string): readonly string[] =>
      (tools.find((tool) => tool.name === name)?.inputSchema as Schema | undefined)?.required ?? [];
    expect(required("WriteMemoryTopic")).not.toContain("if_match");
    expect(required("DeleteMemoryTopic")).toContain("if_match");
    expect(body).toContain("Leave `if_match` out for a new name only.");
  });

  it("agree that a refusal shows the current text and hash", async () => {
    const write = tools.find(({ name }) => name === "WriteMemoryTopic");
    const input = { name: "twice", description: "d", type: "user", body: "Already here." };
    const context = { after: [], notify: () => undefined };
    const first = await write?.run(input, context);
    const refused = await write?.run(input, context);
    expect(body).toContain("A refusal shows the current text and\n  hash");
    expect(refused?.isError).toBe(true);
    expect(refused?.text).toContain("Already here.");
    expect(first?.data).toMatchObject({ hash: expect.stringMatching(/./) as string });
    expect(refused?.data).toMatchObject({
      hash: Reflect.get(Object(first?.data), "hash") as string,
    });
  });

  it("agree that secrets are refused", async () => {
    const strict = createMapTopicStore({
      sha256Hex: (text) => text,
      now: () => 0,
      findSecrets: async () => [{ kind: "key", line: 1 }],
    });
    const [, write] = createMemoryTools({ store: strict, now: () => 0 });
    const result = await write?.run(
      { name: "a", description: "d", type: "user", body: "x" },
      { after: [], notify: () => undefined },
    );
    expect(result?.data).toEqual({ code: "SECRET_FOUND" });
    expect(body).toContain("- secrets, whole or in part, even when asked");
  });

  it("agree that the model may take it up, and that it is always loaded", () => {
    expect(skill).toMatchObject({ name: "auto-memory", modelInvocation: true, alwaysLoaded: true });
  });
});
