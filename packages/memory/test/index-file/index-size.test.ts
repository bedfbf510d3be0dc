import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newIndex } from "../../src/index-file/edit-index.ts";
import { indexSize, indexWarning } from "../../src/index-file/index-size.ts";
import { stripComments } from "../../src/markdown/comments.ts";
import { PIECES } from "./markdown-pieces.ts";

describe("indexSize", () => {
  it("ignores comments at the start of a long text", () => {
    for (const length of [4_094, 4_095, 4_096, 4_097]) {
      const text = `\`a <!-- b -->\n${"x".repeat(length)}\nc\`\n`;
      expect(indexSize(text)).toEqual(sizeOf(stripComments(text).text));
    }
  });

  it("counts exactly the lines and bytes that reach the prompt", () => {
    fc.assert(
      fc.property(fc.array(PIECES, { maxLength: 10 }), (parts) => {
        const text = parts.join("");
        fc.pre(!/(?:^|-->)[ \t>]*```/m.test(text));
        expect(indexSize(text)).toEqual(sizeOf(stripComments(text).text));
      }),
      { numRuns: 5_000 },
    );
  });
});

function sizeOf(shown: string): ReturnType<typeof indexSize> {
  const lines = shown.split("\n").length - (shown.endsWith("\n") || shown === "" ? 1 : 0);
  return { lines, bytes: Buffer.byteLength(shown) };
}

describe("indexWarning", () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, at) => `- [t${at}](t${at}.md) — project: x\n`).join("");

  it.for([
    [159, undefined],
    [160, "is nearly full"],
    [200, "is nearly full"],
    [201, "is over its limit"],
  ] as const)("warns about %i lines: %j", ([count, words]) => {
    expect(indexWarning(lines(count))?.includes(words ?? "") ?? words).toBe(words && true);
  });

  it.for([
    [20_479, undefined],
    [20_480, "is nearly full"],
    [25_600, "is nearly full"],
    [25_601, "is over its limit"],
  ] as const)("warns about %i bytes: %j", ([bytes, words]) => {
    expect(
      indexWarning(`${"é".repeat((bytes - 1) >> 1)}${bytes % 2 ? "" : "x"}\n`)?.includes(
        words ?? "",
      ),
    ).toBe(words && true);
  });

  it("ignores comments in its warning", () => {
    expect(indexWarning(`<!--\n${"x\n".repeat(300)}-->\n${lines(10)}`)).toBeUndefined();
    expect(indexSize(newIndex())).toEqual({ lines: 1, bytes: 15 });
  });
});
