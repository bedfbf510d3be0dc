import { visibleWidth } from "@earendil-works/pi-tui";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEYS } from "../../src/input/key-table.ts";
import { countPages, pageLines } from "../../src/dialogs/page-lines.ts";
import { renderFooter } from "../../src/screen/footer.ts";
import { fitLines } from "../../src/fit-lines.ts";
import { renderItem, wrappedRow } from "../../src/transcript/render-item.ts";
import { renderPermission } from "../../src/questions/ask-permission.ts";
import { renderWork } from "../../src/screen/status-line.ts";
import type { ScreenItem, ToolItem } from "../../src/transcript/items.ts";
import { createTheme } from "../../src/theme.ts";

const theme = createTheme({ color: false });
const look = { theme, width: 60, isExpanded: false, workspaceRoot: "/w" };

/** Without weight and dimness, which every theme has. */
function plain(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.split("\u001B[").map(withoutCode).join("").trimEnd());
}

function withoutCode(part: string, index: number): string {
  return index === 0 ? part : part.replace(/^[\d;]*m/, "");
}

function headOf(item: ToolItem): string {
  return plain(renderItem(item, look))[0] ?? "";
}

function tool(name: string, input: unknown, result?: Partial<ToolItem["result"]>): ToolItem {
  const whole = result === undefined ? undefined : { text: "", isError: false, ...result };
  return { kind: "tool", id: "1", name, input, result: whole };
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
      tool("Bash", { command: "npm test" }, { text: "boom", isError: true, data: { exitCode: 1 } }),
      "✗ Bash npm test · exit 1",
    ],
    [
      tool("Bash", { command: "a\n  b" }, { text: "one\ntwo\n\nExit code 0.", durationMs: 2500 }),
      "● Bash a ⏎ b · 2 lines · 2.5 s",
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
  ])("%#", (item, line) => {
    expect(plain(renderItem(item, look))).toEqual([line]);
  });

  it("has room for a reason where the subject leaves some, and never less than half", () => {
    const reason = "It is no text file, and nothing was changed in it.";
    const line = (input: unknown): string =>
      headOf(tool("Edit", input, { text: reason, isError: true }));
    expect(line({ file_path: "/w/a" })).toBe(`✗ Edit a · ${reason.slice(0, 48)}…`);
    expect(line({ file_path: "/w/".padEnd(90, "b") })).toBe(
      `✗ Edit ${"b".repeat(19)}… · ${reason.slice(0, 29)}…`,
    );
    expect(line({})).toBe(`✗ Edit · ${reason}`);
  });

  it("does not call new what was put in the place of something else", () => {
    const input = { file_path: "/w/a", content: "one\ntwo\n" };
    const replaced = { text: "Replaced a: 2 lines, 8 bytes." };
    for (const result of [{ ...replaced, data: { isNew: false } }, replaced]) {
      const shown = plain(renderItem(tool("Write", input, result), look));
      expect(shown).toEqual(["● Write a · replaced, 2 lines", "    one", "    two"]);
    }
    const created = tool("Write", input, { data: { isNew: true } });
    expect(plain(renderItem(created, look))).toContain("  + one");
  });

  it("says how a command was stopped, and for people why a call was refused", () => {
    const line = (result: object): string =>
      plain(renderItem(tool("Bash", { command: "x" }, { isError: true, ...result }), look))[0] ??
      "";
    const text = "line 1\n\nThe person interrupted it; it was stopped.";
    expect(line({ text, data: { stopped: "interrupted" } })).toBe("✗ Bash x · interrupted");
    expect(line({ text })).toBe("✗ Bash x · interrupted");
    expect(line({ text: "a", data: { stopped: "time-limit" } })).toContain("time limit");
    expect(line({ text: "a", data: { sentence: "You said no." } })).toBe("✗ Bash x · You said no.");
  });

  it("shows what a change takes away and puts there, and leaves the rest of a long one", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const input = { file_path: "/w/a", old_string: "same\nold\nend", new_string: "same\nnew\nend" };
    const edit = tool("Edit", input, {});
    expect(plain(renderItem(edit, look))).toEqual(["● Edit a · +1 −1", "  - old", "  + new"]);
    const write = tool("Write", { file_path: "/w/a", content: lines.join("\n") }, {});
    const shown = plain(renderItem(write, look));
    expect(shown[0]).toBe("● Write a · +30");
    expect(shown.at(-1)).toBe("  … 20 more lines");
    expect(renderItem(write, { ...look, isExpanded: true })).toHaveLength(32);
  });
});

describe("a long output", () => {
  it("is shown as far as the table of keys says", () => {
    const text = Array.from({ length: 302 }, (_, index) => `line ${index}`).join("\n");
    const lines = plain(
      renderItem(tool("Bash", { command: "x" }, { text }), { ...look, isExpanded: true }),
    );
    expect(lines.at(-1)).toContain("… 102 more lines");
    const shown = lines.filter((line) => line.includes("│ line ")).length;
    const key = KEYS.find(({ keys }) => keys === "Ctrl-O");
    expect(key?.doc).toContain(`the first ${shown} lines of each tool output`);
  });
});

describe("a question about a call", () => {
  const question = { permission: "shell", reason: "It asks.", coversAlways: "this command" };

  it("names the file that is really meant, and what the model called it", () => {
    const input = { file_path: "notes.md", content: "x" };
    const linked = { ...question, tool: "Write", input, subject: "sub/deploy.sh" };
    expect(plain(renderPermission(linked, look).title).join(" ")).toContain(
      "Write sub/deploy.sh (asked for as notes.md)?",
    );
    const same = { ...linked, subject: "notes.md" };
    expect(plain(renderPermission(same, look).title).join(" ")).toContain("Write notes.md?");
  });

  it("has a whole command in its lines, however long it and they are", () => {
    const command = [`echo ${"x".repeat(300)}`, ...Array.from({ length: 50 }, () => "ls")].join(
      "\n",
    );
    const { details } = renderPermission({ ...question, tool: "Bash", input: { command } }, look);
    const text = plain(details).map((line) => line.replace(/^ {2}│ /, ""));
    expect(text.join("").replaceAll(" ", "")).toBe(command.replaceAll(/[ \n]/g, ""));
  });

  it("shows what would be written, against what is there, and wraps what is long", () => {
    const input = { file_path: "/w/a", content: "one\nthree\n" };
    const asked = { ...question, tool: "Write", input };
    const over = plain(renderPermission(asked, { ...look, before: "one\ntwo\n" }).details);
    expect(over).toEqual(["  +1 −1", "  - two", "  + three"]);
    const fresh = plain(renderPermission(asked, look).details);
    expect(fresh[0]).toBe("  new file, +2");
    const content = `${"x".repeat(200)}END`;
    const long = { ...asked, input: { ...input, content } };
    expect(plain(renderPermission(long, look).details).join("\n")).toContain("END");
    const edit = { file_path: "/w/a", old_string: "a", new_string: "b", replace_all: true };
    const everywhere = renderPermission({ ...question, tool: "Edit", input: edit }, look);
    expect(plain(everywhere.details)[0]).toBe("  at every place, +1 −1");
  });
});

describe("pages", () => {
  it("show every line, and the last one at once", () => {
    const count = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(count, fc.integer({ min: 3, max: 12 }), (total, most) => {
        const lines = Array.from({ length: total }, (_, index) => String(index));
        const pages = Array.from({ length: countPages(total, most) }, (_, page) =>
          pageLines(lines, { page, most }),
        );
        const seen = new Set(pages.flatMap((page) => page.lines));
        expect(lines.filter((line) => !seen.has(line))).toEqual([]);
        expect(pages[0]?.lines.at(-1)).toBe(lines.at(-1));
        for (const page of pages) {
          expect(page.lines.length + (page.note === "" ? 0 : 1)).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});

describe("lines", () => {
  it("never are wider than the screen", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", " ", "日", "👩‍👩‍👧", "\n", "\t", "|", "-", "`", "*", "é"),
      maxLength: 40,
    });
    const item: fc.Arbitrary<ScreenItem> = fc.oneof(
      text.map((words) => ({ kind: "person", text: words }) as const),
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

  it("go under their own column when a row does not fit", () => {
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

  it("of the footer give up what matters least", () => {
    const facts = {
      model: "a/model",
      mode: "plan",
      directory: "~/x",
      usedPercent: 3,
      hint: undefined,
    };
    const at = (width: number): string => plain([renderFooter(facts, { theme, width })])[0] ?? "";
    expect(at(80)).toBe("a/model · plan · ~/x · context 3% · /help");
    expect(at(36)).toBe("a/model · plan · ~/x · context 3%");
    expect(at(30)).toBe("a/model · plan · context 3%");
    expect(at(20)).toBe("plan · context 3%");
    expect(visibleWidth(at(8))).toBeLessThanOrEqual(8);
  });

  it("of the work say how long and how much", () => {
    const work = { elapsedMs: 65_000, inputTokens: 12_345, outputTokens: 678, isStopping: false };
    expect(plain([renderWork(work, { theme, width: 80 })])[0]).toMatch(
      /^. Working · 1m 05s · ↑ 12k ↓ 678 tokens · Ctrl-C interrupts$/,
    );
    expect(plain([renderWork({ ...work, isStopping: true }, { theme, width: 80 })])[0]).toMatch(
      /Stopping$/,
    );
  });
});
