import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SURFACES } from "../bench/attack/surfaces.ts";
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

it("lists every surface of the attack corpus in docs/security.md, with no success", async () => {
  const page = await readFile(join(root, "docs/security.md"), "utf8");
  const rows = page.matchAll(/^\| (\S.*?) +\| (\d+) +\| (\d+) +\|$/gm);
  expect(Array.from(rows, ([, name, , succeeded]) => [name, succeeded])).toEqual(
    SURFACES.map(({ name }) => [name, "0"]),
  );
});
