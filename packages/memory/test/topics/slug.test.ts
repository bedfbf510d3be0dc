import { posix, win32 } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { READ_ONLY_NAMES, REFUSED_NAMES } from "../../../../test/attack/topic-names.ts";
import { MemoryError } from "../../src/errors.ts";
import {
  parseNewTopicSlug,
  parseTopicSlug,
  slugKey,
  slugFromFileName,
} from "../../src/topics/slug.ts";

const FULL = process.env["FULL"] === "1";

const TAKEN = [
  "deploy-checklist",
  "user_role",
  "v1.2 notes",
  "MEMORY-2",
  "memories",
  "123",
  "true",
  "größe",
  "日本語",
  "مرحبا",
  "हिन्दी",
  "x".repeat(100),
  "é".repeat(50),
  "console",
  "com10",
  "nullable",
  "aux-notes",
];

function accepts(parse: (text: string) => string, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "INVALID_SLUG") throw error;
    return false;
  }
}

describe("topic names", () => {
  it.for(REFUSED_NAMES)("rejects the name %j for reading and for writing", (text) => {
    expect([accepts(parseTopicSlug, text), accepts(parseNewTopicSlug, text)]).toEqual([
      false,
      false,
    ]);
  });

  it.for(READ_ONLY_NAMES)("accepts the name %j for reading only", (text) => {
    expect([accepts(parseTopicSlug, text), accepts(parseNewTopicSlug, text)]).toEqual([
      true,
      false,
    ]);
  });

  it.for(TAKEN)("accepts the name %j for reading and for writing", (text) => {
    expect([accepts(parseTopicSlug, text), accepts(parseNewTopicSlug, text)]).toEqual([true, true]);
  });

  it("normalizes a new name to NFC before it is checked", () => {
    expect(parseNewTopicSlug("e\u0301tude")).toBe("\u00E9tude");
    // The Greek question mark becomes a semicolon, which no name may contain.
    expect(accepts(parseNewTopicSlug, "a\u037Eb")).toBe(false);
    expect(accepts(parseNewTopicSlug, "e\u0301".repeat(50))).toBe(true);
  });

  it("quotes an invalid name without control characters, and truncates it", () => {
    expect(() => parseNewTopicSlug(`a\u001B[31m${"x".repeat(500)}`)).toThrow(
      /^invalid topic name "a\\u001b\[31mx{53}…": /,
    );
  });

  it("treats names that differ in case or composition as the same topic", () => {
    expect(slugKey("E\u0301TUDE")).toBe(slugKey("\u00E9tude"));
    expect(slugKey("a")).not.toBe(slugKey("b"));
  });
});

describe("slugFromFileName", () => {
  it.for([
    ["deploy.md", "deploy"],
    ["a.b.md", "a.b"],
    ["a..md", "a."],
    ["con.md", "con"],
    ["a b.md", "a b"],
    ["x.md.md", "x.md"],
  ] as const)("reads the file name %j as the topic %j", ([name, slug]) => {
    expect(slugFromFileName(name)).toBe(slug);
  });

  it.for([
    "MEMORY.md",
    "Memory.md",
    ".md",
    ".hidden.md",
    "a.txt",
    "a.MD",
    "a.md.tmp",
    "a.md.old.tmp",
    ".lock",
    "../a.md",
    "a..b.md",
    "",
  ])("does not read the file name %j as a topic", (name) => {
    expect(slugFromFileName(name)).toBeUndefined();
  });
});

const PIECES = [
  "a",
  "Z",
  "9",
  ".",
  "..",
  "/",
  "\\",
  "//",
  "\\\\?\\",
  "\0",
  "C:",
  "c:\\",
  "%2e",
  "%2E%2e",
  "%2f",
  "%5c",
  "%00",
  "%252f",
  "%c0%af",
  "file://",
  "~",
  "~/",
  "\u2215",
  "\uFF0F",
  "\uFF3C",
  "\u29F8",
  "\uFF0E",
  "\u2024",
  "\u2025",
  "\u2026",
  "\u3002",
  "\u037E",
  "\u1FEF",
  "\u212A",
  "\u0301",
  "\u200D",
  "\u202E",
  "\uFEFF",
  "\uD800",
  "😀",
  " ",
  "\t",
  "\n",
  "\r",
  "con",
  "nul",
  "memory",
  "MEMORY",
  ".md",
  ":",
  "::$DATA",
  "*",
  "?",
  "|",
  "$HOME",
  "`x`",
  "x".repeat(120),
] as const;

describe("accepted names", () => {
  it(
    "resolves every accepted name to a file directly in the directory, on every platform",
    { timeout: 30_000 },
    () => {
      const name = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 });
      let accepted = 0;
      fc.assert(
        fc.property(name, (pieces) => {
          const text = pieces.join("");
          for (const parse of [parseTopicSlug, parseNewTopicSlug]) {
            if (!accepts(parse, text)) continue;
            accepted += 1;
            if (isOutside(parse(text))) throw new Error(`${JSON.stringify(text)} leads elsewhere`);
          }
        }),
        { numRuns: FULL ? 100_000 : 5_000 },
      );
      expect(accepted).toBeGreaterThan(1_000);
    },
  );
});

function isOutside(slug: string): boolean {
  const file = `${slug}.md`;
  return (
    [
      { path: posix, directory: "/home/me/memory" },
      { path: win32, directory: String.raw`C:\Users\me\memory` },
    ].some(({ path, directory }) => {
      const joined = path.join(directory, file);
      return path.dirname(joined) !== directory || path.relative(directory, joined) !== file;
    }) || /^memory\.md$/i.test(file)
  );
}
