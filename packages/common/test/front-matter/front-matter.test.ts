import { array, assert, constantFrom, dictionary, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { parseFrontMatter } from "../../src/front-matter/front-matter.ts";
import { parseFrontMatter as parseWithGrayMatter } from "../../src/node/front-matter.ts";

describe.for([
  { name: "parseFrontMatter", parse: parseFrontMatter },
  { name: "parseFrontMatter with gray-matter", parse: parseWithGrayMatter },
])("$name", ({ name, parse }) => {
  it.for([
    ["text without a header", "text\n", { kind: "none", body: "text\n" }],
    ["an empty text", "", { kind: "none", body: "" }],
    ["a thematic break", "----\nx\n----\n", { kind: "none", body: "----\nx\n----\n" }],
    ["an empty header", "---\n---\nbody", { kind: "header", data: {}, header: "", body: "body" }],
    [
      "a header of comments",
      "---\n# a\n---\n",
      { kind: "header", data: {}, header: "# a\n", body: "" },
    ],
    [
      "keys above a body with dashes",
      "---\nname: a\n---\n\n---\nb\n---\n",
      { kind: "header", data: { name: "a" }, header: "name: a\n", body: "\n---\nb\n---\n" },
    ],
  ] as const)(`${name} reads %s`, ([, text, expected]) => {
    expect(parse(text)).toEqual(expected);
  });

  it.for([
    ["that names a language", "---js\n{ name: process.exit(7) }\n---\n", 1, '"---js"'],
    ["that names a language after a space", "--- javascript\nx\n---\n", 1, "--- javascript"],
    ["without an end", "---\nname: a\n", 1, "never ends"],
    ["with dashes and a space at the end", "---\nname: a\n---- \n", 3, '"---- "'],
    ["with a space after its last line", "---\na: 1\nb: 2\n--- \nbody", 4, "exactly ---"],
    ["with invalid YAML", "---\na: 1\nb: [1\n---\n", 3, "not valid YAML"],
    ["with a repeated key", "---\na: 1\na: 2\n---\n", 3, "unique"],
    ["that is a list", "---\n- a\n---\n", 2, "keys with values"],
    ["that is a text", "---\nhello\n---\n", 2, "keys with values"],
    ["of more than 16,384 characters", `---\n${"a".repeat(17_000)}: 1\n---\n`, 1, "16384"],
    ["with hundreds of maps as keys", `---\nx: ${"{".repeat(200)}a${": b}".repeat(200)}\n---\n`, 2],
    ["with hundreds of lists as keys", `---\n${"[".repeat(200)}a${"]: b".repeat(200)}\n---\n`, 2],
    ["with hundreds of question marks", `---\n${"? ".repeat(800)}a\n---\n`, 2],
    ["with aliases that grow exponentially", `---\n${aliasBomb()}\n---\n`, 2],
  ] as const)(`${name} rejects a header %s and reports its line`, ([, text, line, words = ""]) => {
    const parsed = parse(text);
    expect(parsed).toMatchObject({ kind: "broken", line });
    expect(parsed.kind === "broken" && parsed.message).toContain(words);
  });

  it(`${name} reads any header or reports the line where it is broken`, () => {
    const blocks =
      "a: |b|\n|  |- |? |&x |*x|!!map |!x |<<: |>-\n|%YAML 1.1\n|...\n|__proto__: ".split("|");
    const flows = '[ ] { } , " \' "\\x0" # 1e999 null \t \0 |'.split(" ");
    const token = constantFrom(...blocks, ...flows);
    assert(
      property(array(token, { maxLength: 8 }), (tokens) => {
        const text = `---\n${tokens.join("")}\n---\nbody`;
        const parsed = parse(text);
        if (parsed.kind !== "broken") return;
        expect(parsed.line).toBeGreaterThan(0);
        expect(parsed.line).toBeLessThanOrEqual(text.split("\n").length);
      }),
      { numRuns: 1000 },
    );
  });

  it(`${name} returns every map that the YAML library writes`, () => {
    const value = oneof(
      string({ unit: "grapheme", maxLength: 8 }),
      constantFrom("---", "true", "12", "a: b", "# c"),
    );
    assert(
      property(dictionary(constantFrom("a", "b", "c"), value), value, (data, body) => {
        const text = `---\n${Object.keys(data).length === 0 ? "" : stringify(data)}---\n${body}`;
        expect(parse(text)).toMatchObject({ kind: "header", data, body });
      }),
    );
  });
});

function aliasBomb(): string {
  const lines = ["a: &a [1,1,1,1,1,1,1,1,1,1]"];
  for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg"]) {
    lines.push(`${to}: &${to} [${Array.from({ length: 10 }, () => `*${from}`).join(",")}]`);
  }
  return lines.join("\n");
}
