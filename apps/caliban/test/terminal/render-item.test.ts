import { visibleWidth } from "@earendil-works/pi-tui";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderFooter } from "../../src/terminal/render-footer.ts";
import { fitLines } from "../../src/terminal/fit-lines.ts";
import { renderItem, wrappedRow } from "../../src/terminal/render-item.ts";
import { renderPermission } from "../../src/terminal/permission-body.ts";
import { renderWork } from "../../src/terminal/render-status.ts";
import type { ScreenItem, ToolItem } from "../../src/terminal/screen-item.ts";
import { createTheme } from "../../src/terminal/theme.ts";

const theme = createTheme({ color: false });
const look = { theme, width: 60, isExpanded: false, workspaceRoot: "/w" };

/** Without weight and dimness, which every theme has. */
function plain(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.split("\u001B[").map(withoutCode).join("").trimEnd());
}

function withoutCode(part: string, index: number): string {
  return index === 0 ? part : part.replace(/^[\d;]*m/, "");
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
    [tool("MemorySearch", { query: "q" }, { data: { hits: [1] } }), "● MemorySearch q · 1 hit"],
    [tool("Other", { a: 1 }, { text: "fine" }), '● Other {"a":1} · fine'],
    [tool("Other", "no object", { text: "" }), '● Other "no object"'],
  ])("%#", (item, line) => {
    expect(plain(renderItem(item, look))).toEqual([line]);
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

describe("a question about a call", () => {
  const question = { permission: "shell", reason: "It asks.", coversAlways: "this command" };

  it("shows a whole command with its end, however long it is", () => {
    const command = [...Array.from({ length: 50 }, () => "echo harmless"), "rm -rf /"].join("\n");
    const lines = renderPermission(
      { ...question, tool: "Bash", input: { command } },
      { ...look, most: 8 },
    );
    const text = plain(lines).join("\n");
    expect(text).toContain("rm -rf /");
    expect(text).toMatch(/… \d+ more lines are not shown here …/);
  });

  it("shows what would be written, against what is there", () => {
    const input = { file_path: "/w/a", content: "one\nthree\n" };
    const asked = { ...question, tool: "Write", input };
    const over = plain(renderPermission(asked, { ...look, most: 9, before: "one\ntwo\n" }));
    expect(over).toEqual(expect.arrayContaining(["  +1 −1", "  - two", "  + three"]));
    const fresh = plain(renderPermission(asked, { ...look, most: 9 }));
    expect(fresh).toEqual(expect.arrayContaining(["  new file, +2"]));
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
