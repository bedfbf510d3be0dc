import { describe, expect, it } from "vitest";
import { createCompletion } from "../../src/input/completion.ts";

const verbs =
  (...names: readonly string[]) =>
  () =>
    names.map((name) => ({ name, doc: "" }));

const completion = createCompletion({
  commands: [
    { name: "help", doc: "" },
    { name: "memory", operands: "[verb …]", doc: "", verbs: verbs("list", "search", "reload") },
    { name: "context", doc: "" },
    { name: "cost", doc: "" },
    { name: "permissions", doc: "", verbs: verbs("mode default", "mode plan") },
    { name: "clear", aliases: ["new"], doc: "" },
    { name: "settings", doc: "", verbs: verbs("get", "set", "unset") },
    {
      name: "resume",
      doc: "",
      complete: async (rest) => ({
        lead: rest.startsWith("in ") ? "in " : "",
        items: [
          { name: "20261116-bbbb", doc: "Fix the build" },
          { name: "20261117-aaaa", doc: "" },
          { name: "a2026", doc: "" },
        ],
      }),
    },
    { name: "quit", aliases: ["exit"], doc: "" },
  ],
  listMore: async () => [{ name: "frontend:button", doc: "" }],
  listFiles: async () => ["src/main.ts", "src/a b.ts", "test/main.test.ts", "evil\u001B[2J.ts"],
});

async function offered(text: string): Promise<readonly string[]> {
  const lines = text.split("\n");
  const last = lines.length - 1;
  const found = await completion.getSuggestions(lines, last, lines[last]?.length ?? 0, {
    signal: new AbortController().signal,
  });
  return found?.items.map(({ value }) => value) ?? [];
}

describe("completion", () => {
  it.each([
    ["/mem", ["/memory"]],
    ["/c", ["/context", "/cost", "/clear"]],
    ["/exi", ["/quit"]],
    ["/memory rel", ["reload"]],
    ["/settings ", ["get", "set", "unset"]],
    ["/permissions mode p", ["mode plan"]],
    ["/memory list", []],
    ["/but", ["/frontend:button"]],
    ["/front", ["/frontend:button"]],
    ["/resume 2026", ["20261116-bbbb", "20261117-aaaa", "a2026"]],
    ["/resume AAA", ["20261117-aaaa"]],
    ["/resume nothing", []],
    ["/resume build", ["20261116-bbbb"]],
    ["/resume in aa", ["in 20261117-aaaa"]],
    ["/resume a2026", []],
    ["/resume @main", ["@src/main.ts", "@test/main.test.ts"]],
    ["/nothing", []],
    ["not /mem", []],
    ["one\n/mem", []],
  ])("offers completions for %j", async (text, values) => {
    expect(await offered(text)).toEqual(values);
  });

  it("finds files by parts of their names, but none that a terminal cannot show", async () => {
    expect(await offered("look at @main")).toEqual(["@src/main.ts", "@test/main.test.ts"]);
    expect(await offered("one\n@src")).toEqual(["@src/", '@"src/a b.ts"', "@src/main.ts"]);
    expect(await offered("@src/")).toEqual(["@src/main.ts", '@"src/a b.ts"']);
    expect(await offered('@"src/a b')).toEqual(['@"src/a b.ts"']);
    expect(await offered("@")).toContain("@test/");
    expect(await offered("@evil")).toEqual([]);
    expect(await offered("me@main")).toEqual([]);
    // A complete name needs no suggestion: Enter sends the message.
    expect(await offered("@src/main.ts")).toEqual([]);
  });

  it.each([
    ["/me", "/memory", "/memory "],
    ["/memory se", "search", "/memory search "],
    ["see @ma", "@src/main.ts", "see @src/main.ts "],
    ["see @sr", "@src/", "see @src/"],
    ["see @a", '@"src/a b.ts"', 'see @"src/a b.ts" '],
    ['see @"src/a b', '@"src/a b.ts"', 'see @"src/a b.ts" '],
    ["see @my", '@"my files/', 'see @"my files/'],
    ["@packages/@sc", "@packages/@scope/x.ts", "@packages/@scope/x.ts "],
  ])("completes %j with %j, whatever the library takes for the prefix", (text, value, expected) => {
    const applied = completion.applyCompletion(
      [text],
      0,
      text.length,
      { value, label: value },
      "/m",
    );
    expect(applied).toEqual({ lines: [expected], cursorLine: 0, cursorCol: expected.length });
  });

  it.each([
    ["/memory list", "/memory"],
    ["/memory show ports now", "show ports"],
    ["see @src/main.ts and", "@src/main.ts"],
  ])("keeps %j, which was typed while the list was made", (text, value) => {
    const item = { value, label: value };
    const applied = completion.applyCompletion([text], 0, text.length, item, "/m");
    expect(applied).toEqual({ lines: [text], cursorLine: 0, cursorCol: text.length });
  });
});
