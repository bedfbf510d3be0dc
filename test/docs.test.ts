import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatedPages } from "../scripts/docs/pages.ts";
import { root } from "../scripts/workspace.mjs";

// The formatter aligns tables, so spacing does not count.
const withoutSpacing = (text: string): string =>
  text.replaceAll(/[ \t]+/g, " ").replaceAll(/-{3,}/g, "---");

it.for(Object.entries(generatedPages()))(
  "keeps %s as `pnpm run docs` writes it",
  async ([name, text]) => {
    expect(withoutSpacing(await readFile(join(root, name), "utf8"))).toBe(withoutSpacing(text));
  },
);
