import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  newIndex,
  putIndexLine,
  rebuildIndex,
  removeIndexLine,
  repairIndex,
} from "../../src/index-file/edit-index.ts";
import type { FileChange } from "../../src/history/change.ts";
import { indexAfter } from "../../src/index-file/index-after.ts";
import { supersededMarkOf } from "../../src/index-file/superseded-mark.ts";
import { parseIndexLines } from "../../src/index-file/index-lines.ts";
import { parseTopicSlug, type TopicSlug } from "../../src/topics/slug.ts";
import { entryOf, HOSTILE, slugsIn } from "./hostile-texts.ts";

/** The topics with a generated line. */
function generatedIn(text: string): readonly TopicSlug[] {
  return parseIndexLines(text).flatMap(({ slug, isGenerated }) => (isGenerated ? [slug] : []));
}

const HAND_WRITTEN = [
  "# Mine\n",
  "\n",
  "words\n",
  "words ` more\n",
  "`code`\n",
  "<!-- c -->\n",
  "<!--\n",
  "-->\n",
  "<!-- - [c](c.md) -->\n",
  "```\n",
  "~~~\n",
  "- plain\n",
  "- [site](https://x.y)\n",
  "1. one\n",
  "  indented\n",
  "    code\n",
  "> quote\n",
  "| a |\n",
  "words `<!--` more\n",
  "---\n",
] as const;
const LINES_OF_TOPICS = [
  "- [a](a.md) — project: old\n",
  "- [b](b.md) — project: old\n",
  "* [c](./c.md) mine\n",
  "  - [d](d.md)\n",
] as const;
const SLUGS = ["a", "b", "c", "d"] as const;

interface Step {
  readonly action: "put" | "drop" | "rename";
  readonly slug: (typeof SLUGS)[number];
  readonly to: (typeof SLUGS)[number];
  readonly description: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom("put", "drop", "rename"),
  slug: fc.constantFrom(...SLUGS),
  to: fc.constantFrom(...SLUGS),
  description: fc.constantFrom(...HOSTILE),
});

/** Applies what a store does to its index; returns the expected lines, and whether each is generated. */
function applySteps(
  start: string,
  steps: readonly Step[],
): { readonly text: string; readonly lines: ReadonlyMap<string, boolean> } {
  const lines = new Map<string, boolean>(
    parseIndexLines(start).map(({ slug, isGenerated }) => [slug, isGenerated]),
  );
  let text = start;
  for (const { action, slug, to, description } of steps) {
    if (action === "drop") {
      text = removeIndexLine(text, parseTopicSlug(slug));
      // A hand-written line stays when its topic is removed.
      if (lines.get(slug) === true) lines.delete(slug);
    } else if (action === "put") {
      text = putIndexLine(text, entryOf(slug, description));
      lines.set(slug, true);
    } else if (lines.has(slug) && !lines.has(to)) {
      text = putIndexLine(text, entryOf(to, description), parseTopicSlug(slug));
      lines.delete(slug);
      lines.set(to, true);
    }
  }
  return { text, lines };
}

describe("an index with hand-written text", () => {
  const piece = fc.oneof(fc.constantFrom(...HAND_WRITTEN), fc.constantFrom(...LINES_OF_TOPICS));
  const start = fc
    .array(piece, { maxLength: 6 })
    .map((pieces) => pieces.join(""))
    .filter((text) => new Set(slugsIn(text)).size === parseIndexLines(text).length);

  const handWritten = (text: string): readonly string[] =>
    text.split("\n").filter((line) => line.trim() !== "" && !/^[ \t]*[-*] \[[abcdA]\]/.test(line));

  it("keeps one line per topic and all hand-written text after any sequence of changes", () => {
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 5 }), (before, steps) => {
        // In an empty text, the first line comes with a new index.
        fc.pre(handWritten(before).length > 0);
        const { text, lines } = applySteps(before, steps);
        const found = parseIndexLines(text).map(
          ({ slug, isGenerated }) => `${slug} ${isGenerated}`,
        );
        expect(found.toSorted()).toEqual(
          [...lines].map(([slug, isGenerated]) => `${slug} ${isGenerated}`).toSorted(),
        );
        expect(handWritten(text)).toEqual(handWritten(before));
      }),
      { numRuns: 4_000 },
    );
  });

  it("leaves the index unchanged when a line is put twice", () => {
    fc.assert(
      fc.property(start, step, (before, { slug, description }) => {
        const once = putIndexLine(before, entryOf(slug, description));
        expect(putIndexLine(once, entryOf(slug, description))).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it("restores the earlier text when a new topic is removed again, except for blank lines around a new list", () => {
    fc.assert(
      fc.property(start, step, (before, { slug, description }) => {
        fc.pre(!slugsIn(before).includes(parseTopicSlug(slug)) && before.trim() !== "");
        const after = removeIndexLine(
          putIndexLine(before, entryOf(slug, description)),
          parseTopicSlug(slug),
        );
        const squeezed = (text: string): string =>
          parseIndexLines(before).length > 0 ? text : text.replaceAll(/\n+/g, "\n").trim();
        expect(squeezed(after)).toBe(squeezed(before));
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves the index unchanged when it is rebuilt twice", () => {
    const entries = fc
      .subarray([...SLUGS, "A"])
      .map((slugs) => slugs.map((slug) => entryOf(slug, "new")));
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
        entries,
        (before, topics) => {
          fc.pre(handWritten(before).length > 0);
          const rebuilt = rebuildIndex(before, topics);
          expect(rebuildIndex(rebuilt.text, topics)).toEqual({
            text: rebuilt.text,
            added: [],
            dropped: [],
          });
          const slugs = new Set(topics.map(({ slug }) => slug));
          expect([...slugs].filter((slug) => !slugsIn(rebuilt.text).includes(slug))).toEqual([]);
          expect(generatedIn(rebuilt.text).filter((slug) => !slugs.has(slug))).toEqual([]);
          expect(handWritten(rebuilt.text)).toEqual(handWritten(before));
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("putIndexLine", () => {
  it("replaces a line in place and keeps its indentation", () => {
    expect(putIndexLine("- one\n  - [a](a.md) old\n- two\n", entryOf("a", "new"))).toBe(
      "- one\n  - [a](a.md) — project: new\n- two\n",
    );
    expect(putIndexLine("- [a](a.md)", entryOf("a", "new"))).toBe("- [a](a.md) — project: new\n");
  });

  it("adds a new line before the first one, so that a full index loses the oldest", () => {
    const text = "# Mine\n\n- plain\n- [b](b.md) — project: x\n";
    expect(putIndexLine(text, entryOf("a"))).toBe(
      "# Mine\n\n- plain\n- [a](a.md) — project: x\n- [b](b.md) — project: x\n",
    );
  });

  it("merges several generated lines into one and keeps hand-written ones", () => {
    const text =
      "- [a](a.md) — project: one\n- [a](a.md) — project: two\n- [a](a.md) my words\n- [b](b.md)\n";
    expect(putIndexLine(text, entryOf("a", "new"))).toBe(
      "- [a](a.md) — project: new\n- [a](a.md) my words\n- [b](b.md)\n",
    );
  });

  it("replaces a generated line rather than a hand-written one above it", () => {
    const text = "* [a](a.md) my words\n- [a](a.md) — project: old\n";
    expect(putIndexLine(text, entryOf("a", "new"))).toBe(
      "* [a](a.md) my words\n- [a](a.md) — project: new\n",
    );
  });

  it("replaces a line in another case unless there is one in the same case", () => {
    expect(putIndexLine("- [A](A.md) — project: old\n", entryOf("a", "new"))).toBe(
      "- [a](a.md) — project: new\n",
    );
    expect(
      putIndexLine("- [A](A.md) — project: A\n- [a](a.md) — project: old\n", entryOf("a", "new")),
    ).toBe("- [A](A.md) — project: A\n- [a](a.md) — project: new\n");
  });

  it("adds the first line above an unclosed code block", () => {
    const text = "# Mine\n\nwords\n```\nlet x\n";
    const put = putIndexLine(text, entryOf("a"));
    expect(put).toBe("# Mine\n\nwords\n\n- [a](a.md) — project: x\n\n```\nlet x\n");
    expect(putIndexLine(put, entryOf("a"))).toBe(put);
    expect(slugsIn(putIndexLine("```\nlet x", entryOf("a")))).toEqual(["a"]);
  });

  it("creates an index if the text is empty", () => {
    for (const text of ["", "\n", "  \n\n"]) {
      expect(putIndexLine(text, entryOf("a"))).toBe(`${newIndex()}\n- [a](a.md) — project: x\n`);
    }
  });
});

describe("rebuildIndex", () => {
  it("keeps every hand-written line and drops a second generated one", () => {
    const text =
      "- [a](a.md) one\n- [a](./a.md) my words\n- [a](a.md) — project: two\n- [a](a.md) — project: three\n- [Guide](GUIDE.md): ask Bob\n";
    expect(rebuildIndex(text, [entryOf("a", "new")])).toEqual({
      text: "- [a](a.md) one\n- [a](./a.md) my words\n- [a](a.md) — project: new\n- [Guide](GUIDE.md): ask Bob\n",
      added: [],
      dropped: [],
    });
  });

  it("accepts a hand-written line as the line of its topic", () => {
    const text = "- [a](a.md) my words\n";
    expect(rebuildIndex(text, [entryOf("a", "new")])).toEqual({ text, added: [], dropped: [] });
  });
});

describe("removeIndexLine", () => {
  it("removes generated lines, indented ones included, and nothing else", () => {
    const text = "- one\n  - [a](a.md) mine\n- [b](b.md) — project: x\n* [b](b.md) mine\n";
    const put = putIndexLine(text, entryOf("a"));
    expect(put).toContain("\n  - [a](a.md) — project: x\n");
    const dropped = ["a", "b"].reduce(
      (now, slug) => removeIndexLine(now, parseTopicSlug(slug)),
      put,
    );
    expect(dropped).toBe("- one\n* [b](b.md) mine\n");
  });
});

describe("repairIndex", () => {
  it("adds missing lines at the top, removes dead ones and keeps the rest", () => {
    const text =
      "Mine.\n\n- [gone](gone.md) — project: x\n- [a](a.md) my words\n- [gone](gone.md) mine\n";
    const repaired = repairIndex(text, {
      exists: (slug) => slug === "a",
      missing: [entryOf("c"), entryOf("b")],
    });
    expect(repaired).toEqual({
      text: "Mine.\n\n- [c](c.md) — project: x\n- [b](b.md) — project: x\n- [a](a.md) my words\n- [gone](gone.md) mine\n",
      added: ["c", "b"],
      dropped: ["gone"],
    });
  });
});

describe("markSuperseded", () => {
  const topic = (name: string, supersedes: readonly string[] = []): string =>
    `---\nname: ${name}\ndescription: ${name}\nsupersedes: ${JSON.stringify(supersedes)}\nmetadata:\n  type: project\n---\nx\n`;
  const change = (slug: string, before: string | null, after: string | null): FileChange => ({
    slug: parseTopicSlug(slug),
    before,
    after,
  });
  const old = "- [a](a.md) — project: a";
  const marked = `${old} (superseded by [b](b.md))\n`;
  const mine = "- [b](b.md) — project: b\n";

  it("says on the line of a topic what supersedes it, until nothing does", () => {
    const written = indexAfter(`${old}\n`, [change("b", null, topic("b", ["a"]))]);
    expect(written).toBe(`${mine}${marked}`);
    // As after a crash, when the index may already have the change.
    expect(indexAfter(written, [change("b", null, topic("b", ["a"]))])).toBe(written);
    expect(indexAfter(written, [change("a", topic("a"), topic("a"))])).toBe(written);
    const ended = [
      [change("b", topic("b", ["a"]), topic("b"))],
      [change("b", topic("b", ["a"]), null)],
    ] as const;
    for (const files of ended) expect(indexAfter(written, files)).toContain(`${old}\n`);
    const renamed = [change("c", null, topic("c", ["a"])), change("b", topic("b", ["a"]), null)];
    expect(indexAfter(written, renamed)).toContain(`${old} (superseded by [c](c.md))\n`);
  });

  it("forgets the mark of a topic whose file was removed by hand", () => {
    const repaired = repairIndex(`${mine}${marked}`, {
      exists: (slug) => slug !== "b",
      missing: [],
    });
    expect(repaired.text).toBe(`${old}\n`);
  });

  it("escapes a description that looks like a mark", () => {
    const entry = entryOf("a", "x (superseded by [b](b.md))");
    const once = putIndexLine("", entry);
    expect(supersededMarkOf(once)).toBe("");
    expect(putIndexLine(once, entry)).toBe(once);
  });

  it("leaves hand-written lines alone", () => {
    const text = "* [a](a.md) my own\n";
    expect(indexAfter(`${mine}${text}`, [change("b", topic("b"), topic("b", ["a"]))])).toContain(
      text,
    );
  });
});
