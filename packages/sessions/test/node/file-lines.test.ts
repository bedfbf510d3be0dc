import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { type FileLine, fileLines, type LinesInput } from "../../src/node/file-lines.ts";

async function linesOf(text: string, input: LinesInput): Promise<readonly FileLine[]> {
  const path = join(await temporaryDirectory(), "a.jsonl");
  writeFileSync(path, text);
  const lines: FileLine[] = [];
  for await (const chunk of fileLines({ path, ...input })) lines.push(...chunk);
  return lines;
}

it("fileLines keeps only the first 512 bytes of a line that is too long", async () => {
  const sizes: number[] = [];
  const isRelevant = (line: Buffer): boolean => {
    sizes.push(line.length);
    return true;
  };
  const text = `${"x".repeat(100_000)}\nshort\n`;
  const lines = await linesOf(text, { maxLineBytes: 1_000, chunkBytes: 300, isRelevant });
  expect(lines.map(({ kind }) => kind)).toEqual(["too-long", "line", "rest"]);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(512);
});

it.for([1, 2, 3, 5, 64])(
  "fileLines returns the same lines for chunks of %j bytes",
  async (size) => {
    expect(await linesOf("a\n\nbé\nrest", { chunkBytes: size })).toEqual([
      { kind: "line", text: "a", byte: 0 },
      { kind: "line", text: "", byte: 2 },
      { kind: "line", text: "bé", byte: 3 },
      { kind: "rest", text: "rest", byte: 7 },
    ]);
  },
);
