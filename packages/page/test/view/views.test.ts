import * as fc from "fast-check";
import { buildPrefix, type Receipt } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { filterTopics, NO_FILTERS } from "../../client/views/topic-filters.ts";
import { diffRows } from "../../src/view/diff-view.ts";
import { promptParts } from "../../src/view/prompt-parts.ts";
import { promptView } from "../../src/view/prompt-view.ts";
import type { TopicRow } from "../../src/view/topic-view.ts";

const entry = {
  tier: "project",
  kind: "instructions",
  bytes: 9,
  tokens: 3,
  status: "loaded",
  reason: "WHOLE",
  message: "Loaded in full.",
} as const;

describe("promptView", () => {
  it("joins each file with its part of the prompt, and leaves out absent ones", () => {
    const receipt: Receipt = {
      workspaceRoot: "/home/me/app",
      entries: [
        { ...entry, path: "/home/me/app/CLAUDE.md" },
        {
          ...entry,
          path: "/home/me/app/b.md",
          kind: "import",
          importedBy: "/home/me/app/CLAUDE.md",
        },
        { ...entry, path: "/home/me/app/cut.md", status: "skipped", reason: "NO_ROOM", tokens: 0 },
        {
          ...entry,
          path: "/home/me/app/half.md",
          status: "truncated",
          reason: "OVER_BUDGET",
          bytes: 40,
        },
        { ...entry, path: "/home/me/app/no.md", status: "missing", reason: "ABSENT", tokens: 0 },
      ],
      notices: [],
      totalTokens: 3,
      ceilingTokens: 10,
    };
    const prefix =
      '<project-claude-md path="/home/me/app/CLAUDE.md">\nUse pnpm.\n</project-claude-md>\n\n';
    const displayPath = (path: string): string => path.replace("/home/me", "~");
    expect(promptView({ receipt, prefix, displayPath }).rows).toMatchObject([
      { path: "~/app/CLAUDE.md", part: 0 },
      { path: "~/app/b.md", part: undefined, importedBy: "~/app/CLAUDE.md" },
      { path: "~/app/cut.md", part: undefined, reason: "NO_ROOM", cutTokens: 0 },
      { path: "~/app/half.md", reason: "OVER_BUDGET", tokens: 3, cutTokens: 7 },
    ]);
  });
});

describe("promptParts", () => {
  it("finds exactly the blocks of a prefix, whatever is in their files", () => {
    const line = fc.constantFrom(
      "</project-claude-md>",
      '<project-claude-md path="x">',
      '<auto-memory-index path="y">',
      "text",
      "",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const source = `${lines.join("\n")}\nend`;
        const paths = ['/a "b" <c>&.md', "/two.md"];
        const files = paths.map((path, at) => {
          const candidate = {
            tier: "project",
            kind: at === 0 ? "instructions" : "rule",
            path,
          } as const;
          return { candidate, source };
        });
        const { prefix, receipt } = buildPrefix({ workspaceRoot: "/", files });
        const parts = promptParts(prefix);
        expect(parts.map(({ path }) => path)).toEqual(paths);
        expect(parts.map(({ text }) => `${text}\n\n`).join("")).toBe(prefix);
        const view = promptView({ receipt, prefix, displayPath: (path) => path });
        expect(view.rows.map(({ part }) => part)).toEqual([0, 1]);
      }),
    );
  });
});

describe("diffRows", () => {
  it("shows every removed and added line", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = diffRows(
          before.map((each) => `${each}\n`).join(""),
          after.map((each) => `${each}\n`).join(""),
        );
        const count = (kind: string): number => rows.filter((row) => row.kind === kind).length;
        expect(count("added") - count("removed")).toBe(after.length - before.length);
        expect(rows.length === 0).toBe(before.join() === after.join());
      }),
    );
  });

  it("shows a new text as added, and where lines were left out", () => {
    expect(diffRows(null, "a\nb\n")).toEqual([
      { kind: "added", text: "a" },
      { kind: "added", text: "b" },
    ]);
    const long = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
    const kinds = diffRows(long, long.replace("line 10", "changed")).map(({ kind }) => kind);
    expect(kinds).toEqual([
      "gap",
      "same",
      "same",
      "same",
      "removed",
      "added",
      "same",
      "same",
      "same",
    ]);
  });
});

describe("filterTopics", () => {
  const DAY_MS = 86_400_000;
  const row = (slug: string, more: Partial<TopicRow> = {}): TopicRow => ({
    slug: slug as TopicRow["slug"],
    scope: "project",
    description: "",
    type: "project",
    updatedMs: 100 * DAY_MS,
    bytes: 1,
    origin: "user",
    evidence: "none",
    uses: 0,
    lastUsedMs: undefined,
    ...more,
  });
  const rows = [
    row("deploy", { description: "How we Ship", uses: 3, bytes: 9 }),
    row("tabs", {
      scope: "user",
      type: undefined,
      updatedMs: 0,
      origin: undefined,
      evidence: "changed",
    }),
  ];

  it.for([
    [{ text: "SHIP how" }, ["deploy"]],
    [{ text: "nothing" }, []],
    [{ type: "untyped" }, ["tabs"]],
    [{ scope: "user" }, ["tabs"]],
    [{ origin: "unknown" }, ["tabs"]],
    [{ evidence: "doubtful" }, ["tabs"]],
    [{ use: "used" }, ["deploy"]],
    [{ age: "over 30 days" }, ["tabs"]],
    [{ age: "under 7 days" }, ["deploy"]],
    [{ sort: "oldest" }, ["tabs", "deploy"]],
    [{ sort: "largest" }, ["deploy", "tabs"]],
    [{ sort: "name" }, ["deploy", "tabs"]],
    [{ sort: "most used" }, ["deploy", "tabs"]],
  ] as const)("applies %j", ([filters, slugs]) => {
    const found = filterTopics(rows, { ...NO_FILTERS, ...filters }, 101 * DAY_MS);
    expect(found.map(({ slug }) => slug)).toEqual(slugs);
  });
});
