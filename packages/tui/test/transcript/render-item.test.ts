import { resultFacts } from "@caliban/agent-core";
import { visibleWidth } from "@earendil-works/pi-tui";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitLines } from "../../src/fit-lines.ts";
import { KEYS } from "../../src/input/key-table.ts";
import type { ScreenItem, ToolItem } from "../../src/transcript/items.ts";
import { renderItem, wrappedRow } from "../../src/transcript/render-item.ts";
import { plain, theme } from "../plain-lines.ts";

const look = { theme, width: 60, isExpanded: false, workspaceRoot: "/w" };

function headOf(item: ToolItem): string {
  return plain(renderItem(item, look))[0] ?? "";
}

interface GivenResult {
  readonly text?: string;
  readonly isError?: boolean;
  readonly data?: unknown;
  readonly durationMs?: number;
}

function tool(name: string, input: unknown, given?: GivenResult): ToolItem {
  if (given === undefined) return { kind: "tool", id: "1", name, input };
  const { text = "", isError = false, data, durationMs } = given;
  const facts = data === undefined ? undefined : resultFacts(data, durationMs ?? 0);
  return { kind: "tool", id: "1", name, input, result: { text, isError, facts } };
}

describe("a call in one line", () => {
  it.each([
    [tool("Read", { file_path: "/w/src/a.ts" }), "○ Read src/a.ts"],
    [tool("Read", { file_path: "/w/src/a.ts" }, { text: "a\nb\n" }), "● Read src/a.ts · 2 lines"],
    [
      tool("Read", { file_path: "/w/a" }, { text: "x", data: { lines: 1200 } }),
      "● Read a · 1,200 lines",
    ],
    [
      tool("Bash", { command: "npm test" }, { isError: true, data: { exitCode: 1, lines: 0 } }),
      "✗ Bash npm test · exit 1",
    ],
    [
      tool("Bash", { command: "a\n  b" }, { data: { lines: 0 }, durationMs: 2500 }),
      "● Bash a ⏎ b · no output · 2.5 s",
    ],
    [
      tool("Bash", { command: "true" }, { text: "No output. Exit code 0." }),
      "● Bash true · no output",
    ],
    [
      tool("Write", { file_path: "/w/a" }, { text: "Not allowed.\nAsk.", isError: true }),
      "✗ Write a · Not allowed.",
    ],
    [
      tool("WriteMemoryTopic", { name: "x" }, { data: { isNew: true } }),
      "● WriteMemoryTopic x · saved",
    ],
    [
      tool("MemorySearch", { query: "q" }, { data: { topics: [1, 2, 3], sessions: [1] } }),
      "● MemorySearch q · 3 topics, 1 passage",
    ],
    [
      tool("MemorySearch", { query: "q" }, { data: { topics: [], sessions: [1, 2] } }),
      "● MemorySearch q · 2 passages",
    ],
    [
      tool("MemorySearch", { query: "q" }, { data: { topics: [], sessions: [] } }),
      "● MemorySearch q · nothing found",
    ],
    [
      tool("MemorySearch", { query: "q" }, { text: "Searched 3 topics.\n\nTopics" }),
      "● MemorySearch q · Searched 3 topics.",
    ],
    [tool("Other", { a: 1 }, { text: "fine" }), '● Other {"a":1} · fine'],
    [tool("Other", "no object", { text: "" }), '● Other "no object"'],
  ])("renders a tool call as one line: %#", (item, line) => {
    expect(plain(renderItem(item, look))).toEqual([line]);
  });

  it("gives the outcome at least half of the line, and whatever the subject leaves", () => {
    const reason = "It is not a text file, so nothing was changed now.";
    const line = (input: unknown): string =>
      headOf(tool("Edit", input, { text: reason, isError: true }));
    expect(line({ file_path: "/w/a" })).toBe(`✗ Edit a · ${reason.slice(0, 48)}…`);
    expect(line({ file_path: "/w/".padEnd(90, "b") })).toBe(
      `✗ Edit ${"b".repeat(19)}… · ${reason.slice(0, 29)}…`,
    );
    expect(line({})).toBe(`✗ Edit · ${reason}`);
  });

  it("shows the lines of a file without a sign where it is not known what was there before", () => {
    const input = { file_path: "/w/a", content: "one\ntwo\n" };
    const stored = tool("Write", input, { text: "Replaced a: 2 lines, 8 bytes." });
    expect(plain(renderItem(stored, look))).toEqual(["● Write a · 2 lines", "    one", "    two"]);
  });

  it("says how a command was stopped, and why a call was denied", () => {
    const line = (result: object): string =>
      plain(renderItem(tool("Bash", { command: "x" }, { isError: true, ...result }), look))[0] ??
      "";
    const text = "line 1\n\nInterrupted by the user.";
    expect(line({ text, data: { stopped: "interrupted" } })).toBe("✗ Bash x · interrupted");
    expect(line({ text: "a", data: { stopped: "time-limit" } })).toBe("✗ Bash x · timed out");
    expect(line({ text: "a", data: { sentence: "You said no." } })).toBe("✗ Bash x · You said no.");
    const denied = { text: "a", data: { message: "You declined." }, durationMs: 4600 };
    expect(line(denied)).toBe("✗ Bash x · You declined.");
  });

  it("shows a change with line numbers and context, and marks where lines are left out", () => {
    const diff = "  7\ta\n- \told\n+ 8\tnew\n+ 9\t\tmore\n  30\tz\n- \tgone";
    const edit = tool("Edit", { file_path: "/w/a" }, { data: { diff, added: 2, removed: 2 } });
    expect(plain(renderItem(edit, look))).toEqual([
      "● Edit a · +2 −2",
      "   7   a",
      "   8 - old",
      "   8 + new",
      "   9 +     more",
      "    ⋮",
      "  30   z",
      "  30 - gone",
    ]);
  });

  it("truncates a long change", () => {
    const diff = Array.from({ length: 30 }, (_, index) => `+ ${index + 1}\tn`).join("\n");
    const write = tool("Write", { file_path: "/w/a" }, { data: { diff, added: 30, removed: 0 } });
    const shown = plain(renderItem(write, look));
    expect(shown[0]).toBe("● Write a · +30");
    expect(shown.at(-1)).toBe("  … 14 more lines");
    expect(renderItem(write, { ...look, isExpanded: true })).toHaveLength(31);
  });
});

describe("the output of a command", () => {
  const printed = Array.from({ length: 300 }, (_, index) => `line ${index}`).join("\n");
  const failed = tool(
    "Bash",
    { command: "x" },
    {
      text: `${printed}\n\nExit code 3.\n\nA note.`,
      isError: true,
      data: { exitCode: 3, lines: 300, ended: "Exit code 3." },
    },
  );

  it("shows the exit code first, and then the last lines", () => {
    const lines = plain(renderItem(failed, look));
    expect(lines.slice(0, 2)).toEqual(["✗ Bash x · exit 3", "  … 288 earlier lines"]);
    expect(lines.at(-1)).toBe("  │ line 299");
  });

  it("expands to as many lines as the table of keys says, and counts the others", () => {
    const lines = plain(renderItem(failed, { ...look, isExpanded: true }));
    const shown = lines.filter((line) => line.includes("│ line ")).length;
    expect(lines[1]).toBe(`  … ${300 - shown} earlier lines`);
    expect(lines.at(-1)).toBe("  │ line 299");
    const key = KEYS.find(({ keys }) => keys === "Ctrl-O");
    expect(key?.doc).toContain(`up to ${shown} lines of each tool output`);
  });

  it("shows what a running command has printed", () => {
    const running: ToolItem = {
      ...tool("Bash", { command: "x" }),
      progress: { text: "a\nb", lines: 12 },
    };
    expect(plain(renderItem(running, look))).toEqual([
      "○ Bash x",
      "  … 10 earlier lines",
      "  │ a",
      "  │ b",
    ]);
  });
});

describe("rendered lines", () => {
  it("never renders a line wider than the screen", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", " ", "日", "👩‍👩‍👧", "\n", "\t", "|", "-", "`", "*", "é"),
      maxLength: 40,
    });
    const item: fc.Arbitrary<ScreenItem> = fc.oneof(
      text.map((words) => ({ kind: "user", text: words }) as const),
      text.map((words) => ({ kind: "answer", text: words }) as const),
      text.map((words) => ({ kind: "thought", text: words }) as const),
      text.map((words) => ({ kind: "output", text: words }) as const),
      text.map((words) => ({ kind: "notice", tone: "bad", text: words }) as const),
      text.map((words) => tool("Bash", { command: words }, { text: words })),
      text.map((words) => tool("Write", { file_path: words, content: words }, { text: words })),
    );
    fc.assert(
      fc.property(item, fc.integer({ min: 4, max: 40 }), fc.boolean(), (one, width, isExpanded) => {
        const lines = fitLines(renderItem(one, { ...look, width, isExpanded }), width);
        expect(Math.max(0, ...lines.map(visibleWidth))).toBeLessThanOrEqual(width);
        expect(lines.join("")).not.toContain("\n");
      }),
    );
  });

  it("wraps a table row inside its last column", () => {
    expect(wrappedRow("/name  does this and that", 16)).toEqual([
      "/name  does this",
      "       and that",
    ]);
    expect(wrappedRow("/a-long-name  does this and that", 16)).toEqual([
      "/a-long-name",
      "    does this",
      "    and that",
    ]);
    expect(wrappedRow("  indented words here", 14)).toEqual(["  indented", "  words here"]);
    expect(wrappedRow("", 10)).toEqual([""]);
  });
});
