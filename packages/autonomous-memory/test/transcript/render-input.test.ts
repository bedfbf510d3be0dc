import { describe, expect, it } from "vitest";
import { renderInput } from "../../src/transcript/render-input.ts";

describe("renderInput", () => {
  it.for([
    [{ command: "pnpm test", timeout: 5, all: true }, "command: pnpm test\ntimeout: 5\nall: true"],
    [{ command: ["bash", "-lc", 'echo "a\tb"'] }, 'command: bash -lc echo "a\tb"'],
    [{ env: [{ name: "DB_PASSWORD", value: "x" }] }, "name: DB_PASSWORD\nvalue: x"],
    [{ edits: [1, { old: null }] }, "edits: 1\nold: "],
    ["a text", "a text"],
    [undefined, ""],
    [{}, ""],
  ] as const)("makes of %j %j", ([input, expected]) => {
    expect(renderInput(input, 1_000)).toBe(expected);
  });

  it("ends at the limit, however large or deep the input is", () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, "v"]));
    expect(renderInput(wide, 50)).toHaveLength(50);
    expect(renderInput({ text: "x".repeat(10_000_000) }, 50)).toHaveLength(50);
    let deep: unknown = "x";
    for (let depth = 0; depth < 5_000; depth++) deep = { deep };
    expect(renderInput(deep, 50)).toBe("");
  });
});
