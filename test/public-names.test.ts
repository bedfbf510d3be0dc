import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "oxc-parser";
import { expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { publishedPackages } from "../scripts/workspace-packages.ts";
import { entriesOf } from "./support/workspace.ts";

const entries = publishedPackages().flatMap(entriesOf);

// Every export is a promise, so an added or removed one must show up in review. `vitest -u` accepts a change.
it.for(entries)(
  "exports from $specifier only the names in its list",
  async ({ specifier, source }) => {
    const names = await exportedNames(source);
    await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(
      join(
        root,
        "test/public-names",
        `${specifier.replace("@caliban/", "").replaceAll("/", "-")}.txt`,
      ),
    );
  },
);

async function exportedNames(path: string): Promise<readonly string[]> {
  const { module, errors } = await parse(path, await readFile(path, "utf8"));
  expect(errors).toEqual([]);
  return module.staticExports
    .flatMap((statement) => statement.entries)
    .map(({ exportName, isType }) => `${isType ? "type " : ""}${exportName.name ?? "*"}`)
    .toSorted();
}
