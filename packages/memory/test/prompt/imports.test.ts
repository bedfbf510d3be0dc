import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  renderImport,
  renderSkippedImport,
  splitImports,
  isWithin,
} from "../../src/prompt/imports.ts";

const targets = (text: string): readonly string[] =>
  splitImports(text).pieces.flatMap((piece) => (piece.kind === "import" ? [piece.target] : []));

describe("splitImports", () => {
  it.for([
    ["@docs/a.md\n", ["docs/a.md"]],
    ["@./a.md", ["./a.md"]],
    ["@../a.md", ["../a.md"]],
    ["@~/a.md", ["~/a.md"]],
    ["@a.md\n@b.md\n", ["a.md", "b.md"]],
    ["- @a.md\n", ["a.md"]],
    ["2. @a.md\n", ["a.md"]],
    ["  @a.md  \n", ["a.md"]],
    ["@my\\ notes/a.md\n", ["my notes/a.md"]],
    ["@docs\\setup.md\n", ["docs\\setup.md"]],
    ["@https://example.com/a.md\n", ["https://example.com/a.md"]],
    ["@types/node\n", ["types/node"]],
    ["@alice\n", []],
    ["see @a.md\n", []],
    ["@a.md and more\n", []],
    ["```\n@a.md\n```\n", []],
    ["    @a.md\n", []],
    ["`@a.md`\n", []],
    ["`a\n@a.md\nb`\n", []],
    ["me@a.md\n", []],
  ] as const)("splits %j at its imports %j", ([text, expected]) => {
    expect(targets(text)).toEqual(expected);
  });

  it("loses no character of any text", () => {
    const piece = fc.constantFrom("@a.md", "@b/c", "\n", " ", "text", "`", "```\n", "- ", "@");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (parts) => {
        const text = parts.join("");
        const { pieces } = splitImports(text);
        expect(
          pieces.map((found) => (found.kind === "text" ? found.text : found.source)).join(""),
        ).toBe(text);
      }),
    );
  });

  it("reports what looks like an import in the middle of a line", () => {
    expect(
      splitImports("see @docs/a.md, or @b.md.\nmail me@x.org, @alice, `@c.md`\n").midLine,
    ).toEqual(["docs/a.md", "b.md"]);
  });

  it("splits a text with ten thousand imports", () => {
    expect(targets("@a/b.md\n".repeat(10_000))).toHaveLength(10_000);
  });
});

it("renders imported text in a frame, and a skipped import as a single line", () => {
  expect(renderImport("/a\n.md", "text")).toBe(
    "[imported from /a\\u{a}.md]\ntext\n[end of /a\\u{a}.md]\n",
  );
  expect(renderSkippedImport("cycle", "a\u001B.md")).toBe(
    "[@-import skipped (cycle): a\\u{1b}.md]\n",
  );
});

it("recognizes Windows paths", () => {
  expect(isWithin("windows", "C:\\app\\a.md", ["C:\\app"])).toBe(true);
});

it.for([
  ["/app/a", true],
  ["/app", true],
  ["/application/a", false],
  ["/", false],
] as const)("decides that %s is within /app: %j", ([path, expected]) => {
  expect(isWithin("posix", path, ["/app"])).toBe(expected);
});

it("considers every path to be within the root directory", () => {
  expect(isWithin("posix", "/a", ["/"])).toBe(true);
});
