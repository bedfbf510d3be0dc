import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnsiStripper } from "../../../src/node/shell/strip-ansi.ts";

function strip(chunks: readonly string[]): string {
  const stripper = createAnsiStripper();
  return chunks.map((chunk) => stripper.push(chunk)).join("") + stripper.end();
}

describe("the ANSI stripper", () => {
  it.for([
    ["\u001B[31mred\u001B[0m", "red"],
    ["\u001B[38;5;196mx\u001B[K", "x"],
    ["\u001B]0;title\u0007text", "text"],
    ["\u001B]8;;http://x\u001B\\link\u001B]8;;\u001B\\", "link"],
    ["\u009B1mbold", "bold"],
    ["\u001B(Bplain\u001B=\u001B7", "plain"],
    ["a\r\nb\rc", "a\nb\rc"],
    ["é[31m", "é[31m"],
  ] as const)("strips %j to %j", ([text, plain]) => {
    expect(strip([text])).toBe(plain);
  });

  it("strips the same however the text is split", () => {
    const part = fc.constantFrom(
      "\u001B[1;31m",
      "\u001B]0;t\u0007",
      "\u001B(B",
      "x",
      "\r\n",
      "\r",
      "\n",
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        (parts, size) => {
          const text = parts.join("");
          const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
            text.slice(index * size, (index + 1) * size),
          );
          expect(strip(chunks)).toBe(strip([text]));
        },
      ),
    );
  });

  it("holds back little of a sequence that never ends", () => {
    const stripper = createAnsiStripper();
    stripper.push("\u001B]0;");
    let out = "";
    for (let count = 0; count < 100; count++) out += stripper.push("x".repeat(1_000));
    expect(out.length).toBeGreaterThan(90_000);
  });
});
