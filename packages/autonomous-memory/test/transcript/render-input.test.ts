import { describe, expect, it } from "vitest";
import { renderInput } from "../../src/transcript/render-input.ts";

describe("renderInput", () => {
  it.for([
    [
      { command: "pnpm test", timeout: 5, all: true },
      "command:\npnpm test\ntimeout:\n5\nall:\ntrue",
    ],
    [{ command: ["bash", "-lc", 'echo "a\tb"'] }, 'command:\nbash -lc echo "a\tb"'],
    [{ env: [{ name: "DB_PASSWORD", value: "x" }] }, "name:\nDB_PASSWORD\nvalue:\nx"],
    [{ edits: [1, { old: null }] }, "edits:\n1\nold:\n"],
    ["a text", "a text"],
    [undefined, ""],
    [{}, ""],
  ] as const)("renders %j as %j", ([input, expected]) => {
    expect(renderInput(input, 1_000)).toBe(expected);
  });

  it("reads no more of a wide input than fits", () => {
    let looks = 0;
    const counted = new Proxy(
      Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [at, "v"])),
      {
        get: (target, key) => {
          looks += 1;
          return Reflect.get(target, key);
        },
      },
    );
    expect(renderInput({ counted, more: [counted, counted] }, 50)).toHaveLength(50);
    expect(looks).toBeLessThan(30);
  });

  it("stops at the limit, however large or deep the input is", () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, "v"]));
    expect(renderInput(wide, 50)).toHaveLength(50);
    expect(renderInput({ text: "x".repeat(10_000_000) }, 50)).toHaveLength(50);
    let deep: unknown = "x";
    for (let depth = 0; depth < 5_000; depth++) deep = { deep };
    expect(renderInput(deep, 50)).toBe("");
  });
});
