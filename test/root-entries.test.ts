import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { parse } from "oxc-parser";
import { expect, it } from "vitest";
import { publishedPackages } from "../scripts/workspace-packages.ts";
import { entriesOf } from "./support/workspace.ts";

const allEntries = publishedPackages().flatMap(entriesOf);
const rootEntries = allEntries.filter(({ isNode }) => !isNode);

it("finds the root entries of the packages", () => {
  expect(rootEntries.map(({ specifier }) => specifier)).toContain("@caliban/memory");
});

// Checks the built file, because a bundler may pull in modules that the source never names.
it.for(rootEntries)("keeps Node modules out of the built file of $specifier", async ({ built }) => {
  expect(await builtinsReachedFrom(built)).toEqual([]);
});

it("loads only a queue before the first call of @caliban/tools-builtin/anthropic", async () => {
  const entry = allEntries.find(({ specifier }) => specifier.endsWith("/anthropic"));
  const { module } = await parse("index.js", await readFile(entry?.built ?? "", "utf8"));
  // The queue is a few lines that other entries share.
  expect(module.staticImports.map(({ moduleRequest }) => moduleRequest.value)).toEqual([
    "../queue.js",
  ]);
  expect(module.dynamicImports.length).toBe(1);
});

it("finds the Node modules of an entry that uses them", async () => {
  const memory = allEntries.find(({ specifier }) => specifier === "@caliban/memory/node");
  expect(await builtinsReachedFrom(memory?.built ?? "")).toContain("node:fs/promises");
});

async function builtinsReachedFrom(start: string): Promise<readonly string[]> {
  const [seen, found] = [new Set<string>(), new Set<string>()];
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const specifier of await importsOf(path)) {
      if (isBuiltin(specifier)) found.add(specifier);
      if (specifier.startsWith(".")) await visit(join(dirname(path), specifier));
    }
  };
  await visit(start);
  return [...found].toSorted();
}

async function importsOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8");
  const { module } = await parse(path, text);
  const literals = module.dynamicImports.map(({ moduleRequest }) =>
    text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
  );
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...literals,
    ...exported,
  ];
}
