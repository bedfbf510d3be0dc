import {
  createMapTopicStore,
  INDEX_FILE,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_INDEX_BYTES,
  MAX_INDEX_LINES,
  renderNote,
  TIER_TAGS,
  TOPIC_TYPES,
} from "@caliban/memory";
import { SEARCHED_KINDS } from "@caliban/memory/search";
import { createMemoryTools } from "@caliban/tools-builtin";
import { describe, expect, it } from "vitest";
import { bundledSkills } from "../src/bundled/bundled-skills.ts";

// Checks what the skill teaches against the code: a name or number that changes there must fail here.

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

/** The fields in the line of the skill that introduces a tool. */
const introduction = (name: string): string =>
  new RegExp(`^- \`${name}\` \\(([^)]*)\\)`, "m").exec(body)?.[1] ?? "";

describe("the auto-memory skill and the code", () => {
  it.for(tools.map(({ name }) => name))("the skill names the tool %s", (name) => {
    expect(body).toContain(`\`${name}\``);
  });

  it.for(tools.map(({ name }) => name))("the skill lists every field of %s in order", (name) => {
    const fields = [...introduction(name).matchAll(/`(\w+)`/g)].map(([, field]) => field);
    expect(fields).toEqual(fieldsOf(name));
  });

  it("the skill names no memory tools that do not exist", () => {
    const named = new Set([...body.matchAll(/`(\w*Memory\w*)`/g)].map(([, name]) => name));
    expect([...named].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it.for(TOPIC_TYPES)("the skill gives a good and a bad example for the type %s", (type) => {
    const row = new RegExp(`^- \`${type}\`:([\\s\\S]*?)(?=^- |^$)`, "m").exec(body)?.[1] ?? "";
    expect(row).toMatch(/Save "/);
    expect(row).toMatch(/not\s+"/);
  });

  it("the skill and the write tool list exactly the topic types", () => {
    const section = /## The four values of `type`\n([\s\S]*?)\n## /.exec(body)?.[1] ?? "";
    expect([...section.matchAll(/^- `(\w+)`:/gm)].map(([, type]) => type)).toEqual([
      ...TOPIC_TYPES,
    ]);
    const schema = tools.find(({ name }) => name === "WriteMemoryTopic")?.inputSchema as
      | Schema
      | undefined;
    expect(schema?.properties?.["type"]?.enum).toEqual([...TOPIC_TYPES]);
  });

  it("the skill names every kind that can be searched", () => {
    const row = /^- `MemorySearch`[\s\S]*?(?=^- )/m.exec(body)?.[0] ?? "";
    for (const kind of SEARCHED_KINDS.filter((each) => each !== "all")) {
      expect(row).toContain(`\`${kind}\``);
    }
  });

  it("the skill names the tag of a note", () => {
    const note = renderNote({
      note: {
        text: "Run migrations first.",
        source: { kind: "topic", slug: "deploy", address: "memory://topics/deploy", atMs: 0 },
        why: { match: "words", score: 1, terms: [] },
      },
      nonce: "n",
      nowMs: 0,
    });
    const [tag = ""] = /^<[\w-]+/.exec(note) ?? [];
    expect(body).toContain(`\`${tag}>\``);
  });

  it("the skill states the limits of the index", () => {
    expect(body).toContain(`first ${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES / 1024} KB`);
  });

  it("the skill states the maximum length of a description", () => {
    expect(body).toContain(`at most ${MAX_DESCRIPTION_CHARACTERS} characters`);
  });

  it("the skill names the tag of the index", () => {
    expect(body).toContain(`\`<${TIER_TAGS.auto}>\``);
  });

  it("the skill names the index file", () => {
    expect(body).toContain(`\`${INDEX_FILE}\``);
  });

  it("the skill names the permission category of the memory tools", () => {
    const categories = new Set(tools.map(({ permission }) => permission.split(".")[0]));
    expect([...categories]).toEqual(["memory"]);
    expect(body).toContain("`memory.*`");
  });

  it("the skill shows the link syntax that a rename follows", async () => {
    expect(body).toContain("`[[slug]]`");
    const { rename, write, read } = store;
    const author = { who: "agent" } as const;
    const topic = { description: "d", type: "user", author } as const;
    await write({ ...topic, name: "slug", body: "x" });
    await write({ ...topic, name: "other", body: "See [[slug]]." });
    await rename({ from: "slug", to: "renamed", author });
    expect((await read("other"))?.topic.body).toBe("See [[renamed]].");
  });

  it("the example name in the skill is a valid topic name", async () => {
    const name = /kebab-case \(`([^`]+)`\)/.exec(body)?.[1] ?? "";
    const author = { who: "agent" } as const;
    const topic = { name, description: "d", type: "user", body: "x", author } as const;
    expect(await store.write(topic)).toMatchObject({ kind: "written", slug: name });
  });

  it("the skill says that only a new topic needs no hash", () => {
    const required = (name: string): readonly string[] =>
      (tools.find((tool) => tool.name === name)?.inputSchema as Schema | undefined)?.required ?? [];
    expect(required("WriteMemoryTopic")).not.toContain("if_match");
    expect(required("DeleteMemoryTopic")).toContain("if_match");
    expect(body).toContain("Omit `if_match` only for a new name.");
  });

  it("a refused write shows the current text and hash, as the skill says", async () => {
    const write = tools.find(({ name }) => name === "WriteMemoryTopic");
    const input = { name: "twice", description: "d", type: "user", body: "Already here." };
    const context = { usedTools: [], notify: () => undefined };
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

  it("secrets are rejected, as the skill says", async () => {
    const strict = createMapTopicStore({
      sha256Hex: (text) => text,
      now: () => 0,
      findSecrets: async () => [{ kind: "key", line: 1 }],
    });
    const [, write] = createMemoryTools({ store: strict, now: () => 0 });
    const result = await write?.run(
      { name: "a", description: "d", type: "user", body: "x" },
      { usedTools: [], notify: () => undefined },
    );
    expect(result?.data).toEqual({ code: "SECRET_FOUND" });
    expect(body).toContain("- secrets, whole or in part, even when asked");
  });

  it("the skill explains the scope that tools have where there is memory about the user", () => {
    const scoped = createMemoryTools({ store, now: () => 0, userScope: { store } });
    const scopes = scoped.flatMap(({ inputSchema }) => {
      const { properties } = inputSchema as Schema;
      return properties?.["scope"] === undefined ? [] : [properties["scope"].enum];
    });
    expect(scopes).toEqual(Array.from({ length: 3 }, () => ["project", "user"]));
    expect(body).toContain("- `scope`, where a tool has it: `user` is for facts about the user");
  });

  it("the skill is always loaded and can be invoked by the model", () => {
    expect(skill).toMatchObject({ name: "auto-memory", modelInvocation: true, alwaysLoaded: true });
  });
});
