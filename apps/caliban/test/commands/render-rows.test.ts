import { describe, expect, it } from "vitest";
import { renderNamedRows, renderRows } from "../../src/commands/render-rows.ts";

const screen = (columns?: number, hasColor = false) => ({
  columns: () => columns,
  hasColor: () => hasColor,
});

const ROWS = [
  ["deploy", "project", "run the migrations before the feature flag"],
  ["flags", "user", "short"],
];

describe("renderRows", () => {
  it("aligns the columns of a table", () => {
    expect(renderRows(ROWS, screen())).toBe(
      "  deploy  project  run the migrations before the feature flag\n  flags   user     short\n",
    );
  });

  it("wraps the last column at spaces on a terminal", () => {
    expect(renderRows(ROWS, screen(45))).toBe(
      `\
  deploy  project  run the migrations before
                   the feature flag
  flags   user     short
`,
    );
  });

  it("never breaks a word, however narrow the terminal is", () => {
    const long = "a-word-that-is-longer-than-the-terminal";
    for (let columns = 1; columns < 60; columns++) {
      const text = renderRows([["name", `before ${long} after`]], screen(columns));
      expect(text).toContain(long);
    }
  });

  it("aligns columns independently of colors", () => {
    const colored = renderNamedRows(ROWS, screen(undefined, true)).join("");
    expect(colored).toContain("\u001B[36m");
    // oxlint-disable-next-line no-control-regex -- the colors
    expect(colored.replaceAll(/\u001B\[\d+m/g, "")).toBe(renderRows(ROWS, screen()));
  });
});
