import { assert, constantFrom, dictionary, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { parseFrontMatter } from "../../src/front-matter/front-matter.ts";
import { processorMs } from "../../../../test/support/processor-time.ts";

describe("parseFrontMatter", () => {
  it.for([
    ["no header at all", "text\n", { kind: "none", body: "text\n" }],
    ["an empty text", "", { kind: "none", body: "" }],
    ["a thematic break", "----\nx\n----\n", { kind: "none", body: "----\nx\n----\n" }],
    ["an empty header", "---\n---\nbody", { kind: "header", data: {}, header: "", body: "body" }],
    [
      "a header of comments",
      "---\n# a\n---\n",
      { kind: "header", data: {}, header: "# a\n", body: "" },
    ],
    [
      "keys, and dashes in the body",
      "---\nname: a\n---\n\n---\nb\n---\n",
      { kind: "header", data: { name: "a" }, header: "name: a\n", body: "\n---\nb\n---\n" },
    ],
  ] as const)("reads %s", ([, text, expected]) => {
    expect(parseFrontMatter(text)).toEqual(expected);
  });

  it.for([
    ["a language", "---js\n{ name: process.exit(7) }\n---\n", 1, '"---js"'],
    ["a language behind a space", "--- javascript\nx\n---\n", 1, "--- javascript"],
    ["no end", "---\nname: a\n", 1, "never ends"],
    ["another last line", "---\nname: a\n---- \n", 3, '"---- "'],
    ["a space after the last line", "---\na: 1\nb: 2\n--- \nbody", 4, "exactly ---"],
    ["broken YAML", "---\na: 1\nb: [1\n---\n", 3, "no YAML"],
    ["a key given twice", "---\na: 1\na: 2\n---\n", 3, "unique"],
    ["a list", "---\n- a\n---\n", 2, "keys with values"],
    ["a text", "---\nhello\n---\n", 2, "keys with values"],
    ["an over-long header", `---\n${"a".repeat(17_000)}: 1\n---\n`, 1, "16384"],
  ] as const)("refuses %s, and says where", ([, text, line, words]) => {
    const parsed = parseFrontMatter(text);
    expect(parsed).toMatchObject({ kind: "broken", line });
    expect(parsed.kind === "broken" && parsed.problem).toContain(words);
  });

  it.for([
    ["maps as keys", `x: ${"{".repeat(200)}a${": b}".repeat(200)}\n`],
    ["lists as keys", `${"[".repeat(200)}a${"]: b".repeat(200)}\n`],
    ["many question marks", `${"? ".repeat(800)}a\n`],
  ] as const)("refuses %s at once", ([, header]) => {
    const started = processorMs();
    expect(parseFrontMatter(`---\n${header}---\n`)).toMatchObject({ kind: "broken" });
    expect(processorMs() - started).toBeLessThan(3_000);
  });

  it("refuses aliases that grow without end", () => {
    const bomb = ["a: &a [1,1,1,1,1,1,1,1,1,1]"];
    for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg"]) {
      bomb.push(`${to}: &${to} [${Array.from({ length: 10 }, () => `*${from}`).join(",")}]`);
    }
    expect(parseFrontMatter(`---\n${bomb.join("\n")}\n---\n`)).toMatchObject({ kind: "broken" });
  });

  it("gives back what YAML writes, whatever stands in it", () => {
    const value = oneof(
      string({ unit: "grapheme", maxLength: 8 }),
      constantFrom("---", "true", "12", "a: b", "# c"),
    );
    assert(
      property(dictionary(constantFrom("a", "b", "c"), value), value, (data, body) => {
        const text = `---\n${Object.keys(data).length === 0 ? "" : stringify(data)}---\n${body}`;
        expect(parseFrontMatter(text)).toMatchObject({ kind: "header", data, body });
      }),
    );
  });
});
