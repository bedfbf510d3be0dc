import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMapTopicStore } from "../../src/store/map-topic-store.ts";
import {
  findConflict,
  findSameTopic,
  parseBody,
  parseDescription,
} from "../../src/store/plan-write.ts";
import { parseTopicSlug } from "../../src/topics/slug.ts";
import type { StoredTopic, TopicStore, WriteTopicInput } from "../../src/store/topic-store.ts";
import { toStoredTopic } from "../../src/store/stored-topic.ts";
import { textVersion } from "../../src/store/text-version.ts";

const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");
const TOPIC: WriteTopicInput = {
  name: "a",
  description: "words",
  type: "project",
  body: "Body.",
  author: { who: "person" },
};

function storeWith(files: Readonly<Record<string, string>> = {}): TopicStore {
  return createMapTopicStore({ sha256Hex, now: () => 0, findSecrets: async () => [], files });
}

function topicOf(text: string): StoredTopic {
  return toStoredTopic({ slug: parseTopicSlug("a"), version: "v1", text, modifiedMs: 0 });
}

describe("findConflict", () => {
  const current = topicOf("Old.\n");

  it.for([
    [undefined, {}, undefined],
    [undefined, { ifMatch: current.hash }, "missing"],
    [undefined, { replace: true }, undefined],
    [undefined, { ifMatch: "x", replace: true }, undefined],
    [current, {}, "exists"],
    [current, { ifMatch: "" }, "changed"],
    [current, { ifMatch: current.hash.slice(0, -1) }, "changed"],
    [current, { ifMatch: current.hash.toUpperCase() }, "changed"],
    [current, { ifMatch: current.hash }, undefined],
    [current, { replace: true }, undefined],
    [current, { ifMatch: "x", replace: true }, undefined],
  ] as const)(
    "lets only a writer who has seen the current topic replace it (%#)",
    ([there, given, expected]) => {
      const refused = findConflict(there, given);
      expect(typeof refused === "object" ? refused.reason : refused).toBe(expected);
    },
  );

  it("computes different versions for different texts", () => {
    const texts = ["a", "a\n", "a\r\n", "\uFEFFa", "A", ""];
    expect(new Set(texts.map((text) => textVersion(text, sha256Hex))).size).toBe(texts.length);
  });
});

describe("findSameTopic", () => {
  it("prefers the exact name to one that differs only in case or Unicode composition", () => {
    const slugs = ["Foo", "foo", "caf\u00E9"].map(parseTopicSlug);
    expect(findSameTopic(parseTopicSlug("foo"), slugs)).toBe("foo");
    expect(findSameTopic(parseTopicSlug("Foo"), slugs)).toBe("Foo");
    expect(findSameTopic(parseTopicSlug("CAFE\u0301"), slugs)).toBe("caf\u00E9");
    expect(findSameTopic(parseTopicSlug("bar"), slugs)).toBeUndefined();
  });
});

describe("a write with replace", () => {
  it.for(["a:b", "con", "a.", "notes.md"])(
    "does not create a topic with the name %j",
    async (name) => {
      await expect(storeWith().write({ ...TOPIC, name, replace: true })).rejects.toMatchObject({
        code: "INVALID_SLUG",
      });
    },
  );

  it("keeps an existing name that would not be valid for a new topic", async () => {
    const store = storeWith({ "a:b.md": "Old.\n" });
    expect(await store.write({ ...TOPIC, name: "a:b", replace: true })).toMatchObject({
      kind: "written",
      isNew: false,
    });
    expect((await store.read("a:b"))?.topic.body).toBe("Body.");
  });

  it("writes the file name into the header", async () => {
    const store = storeWith();
    await store.write({ ...TOPIC, name: "e\u0301tude", replace: true });
    const { topics } = await store.list();
    expect(topics.map(({ slug }) => slug)).toEqual(["\u00E9tude"]);
    expect((await store.read("\u00E9tude"))?.topic.name).toBe("\u00E9tude");
  });
});

describe("parseDescription", () => {
  it.for([
    ["a", "a"],
    [" a ", "a"],
    ["a  b", "a b"],
    ["日本\u3000語", "日本 語"],
    ["a\uD800", "a\uFFFD"],
    ["x".repeat(120), "x".repeat(120)],
    ["😀".repeat(120), "😀".repeat(120)],
  ] as const)("returns a valid description with single spaces (%#)", ([given, description]) => {
    expect(parseDescription(given)).toBe(description);
  });

  it.for([
    "",
    " ",
    "\n",
    "a\nb",
    "a\rb",
    "a\u0085b",
    "a\u2028b",
    "a\u0000b",
    "a\u001Bb",
    "x".repeat(121),
  ])("rejects an invalid description (%#)", (given) => {
    expect(() => parseDescription(given)).toThrow(
      expect.objectContaining({ code: "INVALID_TOPIC" }),
    );
  });
});

describe("parseBody", () => {
  it.for([
    ["a", "a"],
    ["\n\n a\n\n", " a"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["\uFEFFa", "a"],
    ["a\0b", "a\uFFFDb"],
    ["a\uD800b", "a\uFFFDb"],
    ["x".repeat(262_144), "x".repeat(262_144)],
  ] as const)(
    "returns a valid body with LF line ends and no empty lines around it (%#)",
    ([given, body]) => {
      expect(parseBody(given)).toBe(body);
    },
  );

  it.for(["", " \n\t", "\uFEFF", "x".repeat(262_145), "é".repeat(131_073)])(
    "rejects an invalid body (%#)",
    (given) => {
      expect(() => parseBody(given)).toThrow(expect.objectContaining({ code: "INVALID_TOPIC" }));
    },
  );

  it.for([
    ["spaces", " "],
    ["line ends", "\n"],
    ["tabs", "\t"],
  ] as const)("parses a body with 200,000 %s in a row", ([, character]) => {
    expect(parseBody(`a${character.repeat(200_000)}b`)).toHaveLength(200_002);
  });

  it("returns a body as it is read back: LF line ends, no empty lines around it", () => {
    expect(parseBody("\r\n\r\n  a\r\nb \n\n")).toBe("  a\nb");
  });
});
