import { describe, expect, it } from "vitest";
import { createCompletion } from "../../src/input/completion.ts";

const completion = createCompletion({
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
    ["/c", ["/context", "/cost", "/clear", "/compact"]],
    ["/exi", ["/quit"]],
    ["/memory rel", ["reload"]],
    ["/settings ", ["get", "set", "unset"]],
    ["/permissions mode p", ["mode plan"]],
    ["/memory list", []],
    ["/nothing", []],
    ["not /mem", []],
    ["one\n/mem", []],
  ])("offers for %j what begins like it", async (text, values) => {
    expect(await offered(text)).toEqual(values);
  });

  it("finds files by parts of their names, and offers none that a terminal cannot show", async () => {
    expect(await offered("look at @main")).toEqual(["@src/main.ts", "@test/main.test.ts"]);
    expect(await offered("one\n@src")).toContain("@src/main.ts");
    expect(await offered("@evil")).toEqual([]);
    expect(await offered("me@main")).toEqual([]);
    // What is there in full is done: Enter sends the message off.
    expect(await offered("@src/main.ts")).toEqual([]);
  });

  it.each([
    ["/me", "/memory", "/memory "],
    ["/memory se", "search", "/memory search "],
    ["see @ma", "@src/main.ts", "see @src/main.ts "],
  ])("completes %j by %j, whatever the library took for its beginning", (text, value, expected) => {
    const applied = completion.applyCompletion(
      [text],
      0,
      text.length,
      { value, label: value },
      "/m",
    );
    expect(applied).toEqual({ lines: [expected], cursorLine: 0, cursorCol: expected.length });
  });
});
