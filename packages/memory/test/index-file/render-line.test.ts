import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newIndex, putIndexLine, removeIndexLine } from "../../src/index-file/edit-index.ts";
import { renderIndexLine } from "../../src/index-file/render-line.ts";
import { stripComments } from "../../src/markdown/comments.ts";
import { scanMarkdown } from "../../src/markdown/regions.ts";
import { buildPrefix } from "../../src/prompt/prefix.ts";
import { parseTopicSlug } from "../../src/topics/slug.ts";
import { entryOf, HOSTILE, ODD_SLUGS, slugsIn } from "./hostile-texts.ts";

describe("renderIndexLine", () => {
  it("renders the documented form of an index line", () => {
    expect(renderIndexLine(entryOf("deploy-checklist", "run migrations first"))).toBe(
      "- [deploy-checklist](deploy-checklist.md) — project: run migrations first",
    );
    expect(renderIndexLine({ ...entryOf("a", ""), type: undefined })).toBe(
      "- [a](a.md) — untyped: (no description)",
    );
  });

  it("keeps code in a description and truncates a long description", () => {
    expect(renderIndexLine(entryOf("a", "run `pnpm test` and ``x ` y``"))).toMatch(
      /: run `pnpm test` and ``x ` y``$/,
    );
    const [, about = ""] = renderIndexLine(entryOf("a", "😀".repeat(121))).split(": ");
    expect(about).toBe(`${"😀".repeat(119)}…`);
  });

  it("renders one closed line for one topic, whatever the description", () => {
    for (const description of HOSTILE) {
      const line = renderIndexLine(entryOf("a", description));
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(line).not.toMatch(/<!--|-->|(?<!^- \[a)\]\(/);
      expect(slugsIn(`${line}\n`)).toEqual(["a"]);
      // Text right below the line reads as if the line were not there.
      const below = "goes on `<!--` and `code`\n\nEnd -->\n";
      const shown = scanMarkdown(`${line}\n${below}`);
      expect(shown.comments).toEqual([]);
      expect(
        shown.code.slice(-2).map(({ start, end }) => `${line}\n${below}`.slice(start, end)),
      ).toEqual(["`<!--`", "`code`"]);
    }
  });

  it("renders a line that parses back to an unusual name", () => {
    for (const slug of ODD_SLUGS) {
      const line = renderIndexLine(entryOf(slug));
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(slugsIn(`${line}\n`)).toEqual([slug]);
      const text = putIndexLine(newIndex(), entryOf(slug));
      expect(putIndexLine(text, entryOf(slug))).toBe(text);
      expect(slugsIn(removeIndexLine(text, parseTopicSlug(slug)))).toEqual([]);
      expect(scanMarkdown(`${line}\n\`<!--\` -->\n`).comments).toEqual([]);
    }
  });

  it("renders a line that parses back to any name, whatever the description", () => {
    const slug = fc
      .array(
        fc.constantFrom("a", "%", "4", " ", "[", "]", "(", ")", "<", ">", "`", "é", "😀", "-"),
        {
          minLength: 1,
          maxLength: 5,
        },
      )
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(slug, fc.constantFrom(...HOSTILE), (name, description) => {
        expect(slugsIn(`${renderIndexLine(entryOf(name, description))}\n`)).toEqual([name]);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The prompt for an index, as the loader passes it on. */
function promptOf(index: string): string {
  const candidate = { tier: "auto", kind: "index", path: "/memory/MEMORY.md" } as const;
  const files = [{ candidate, source: stripComments(index).text }];
  return buildPrefix({ workspaceRoot: "/app", files }).prefix;
}

/** Our own tags and lines that look like frames, in any spelling. */
function framesIn(prompt: string): readonly string[] {
  const seen = prompt.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
  return [
    ...(seen.match(
      /<\s*\/?\s*(?:auto-memory-index|(?:project|global)-claude-md|memory-guidance|project-rule)/gi,
    ) ?? []),
    ...(seen.match(/^\s*\[(?:truncated|not shown|imported from|end of|@-import).*$/gim) ?? []),
  ];
}

describe("an index line in the prompt", () => {
  it("cannot open or close a block or hide another topic with a hostile description", () => {
    for (const description of HOSTILE) {
      const [above, below] = [entryOf("above", "one"), entryOf("below", "two")];
      const notes = "<!-- for `people` -->\nMy `<!--` notes.\n<!-- end -->\n";
      const index = [below, entryOf("evil", description), above].reduce(
        (text, entry) => putIndexLine(text, entry),
        `${newIndex()}\n${notes}`,
      );
      for (const text of [index, index.replace("\n\n- [above]", "\n- [above]")]) {
        const prompt = promptOf(text);
        expect(framesIn(prompt)).toEqual(["<auto-memory-index", "</auto-memory-index"]);
        expect(prompt).toContain(
          "\n- [above](above.md) — project: one\n- [evil](evil.md) — project: ",
        );
        expect(prompt).toContain("\n- [below](below.md) — project: two\n");
        expect(prompt).toContain("My `<!--` notes.");
        expect(prompt).not.toContain("people");
        expect(slugsIn(prompt)).toEqual(["above", "evil", "below"]);
      }
    }
  });

  it("preserves hand-written text right below a hostile description", () => {
    for (const description of HOSTILE) {
      const line = renderIndexLine(entryOf("evil", description));
      const rest = "`<!--` begins a comment\n- [below](below.md) — project: two\n`-->` ends it\n";
      expect(promptOf(`${line}\n${rest}`)).toContain(`\n${rest}</auto-memory-index>`);
    }
  });

  it("cannot open or close a block with an unusual file name", () => {
    for (const slug of ODD_SLUGS) {
      const index = putIndexLine("- [below](below.md) — project: two\n", entryOf(slug));
      const prompt = promptOf(index);
      expect(framesIn(prompt)).toEqual(["<auto-memory-index", "</auto-memory-index"]);
      expect(slugsIn(prompt)).toEqual([slug, "below"]);
    }
  });
});
