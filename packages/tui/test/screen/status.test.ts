import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { renderFooter } from "../../src/screen/footer.ts";
import { renderWork } from "../../src/screen/status-line.ts";
import { plain, theme } from "../plain-lines.ts";

describe("the lines around the prompt", () => {
  it("drops the least important parts of the footer first", () => {
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

  it("shows the branch next to the directory where there is room", () => {
    const facts = { model: "m", mode: "plan", directory: "~/x", usedPercent: 3, hint: undefined };
    const at = (width: number): string =>
      plain([renderFooter({ ...facts, branch: "topic/a\u001B[2J" }, { theme, width })])[0] ?? "";
    expect(at(80)).toBe("m · plan · ~/x (topic/a\\u{1b}[2J) · context 3% · /help");
    expect(at(30)).toBe("m · plan · ~/x · context 3%");
  });

  it("shows the time and the tokens of the work in the status line", () => {
    const work = { elapsedMs: 65_000, inputTokens: 12_345, outputTokens: 678, isStopping: false };
    expect(plain([renderWork(work, { theme, width: 80 })])[0]).toMatch(
      /^. Working · 1m 05s · ↑ 12k ↓ 678 tokens · Ctrl-C to interrupt$/,
    );
    expect(plain([renderWork({ ...work, inputTokens: 0 }, { theme, width: 80 })])[0]).toMatch(
      /^. Working · 1m 05s · ↓ 678 tokens · /,
    );
    expect(plain([renderWork({ ...work, isStopping: true }, { theme, width: 80 })])[0]).toMatch(
      /Stopping$/,
    );
  });
});
