import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatedPages } from "../scripts/docs/pages.ts";
import { root } from "../scripts/workspace.mjs";

// The formatter aligns tables; the words are what counts.
const words = (text: string): string => text.replaceAll(/[ \t]+/g, " ").replaceAll(/-{3,}/g, "---");

it.for(Object.entries(generatedPages()))(
  "%s is what `pnpm run docs` writes",
  async ([name, text]) => {
    expect(words(await readFile(join(root, name), "utf8"))).toBe(words(text));
  },
);
