import { gzipSync } from "node:zlib";
import type { OutputChunk } from "rolldown";
import { expect, it } from "vitest";
import { publishedPackages } from "../scripts/workspace-packages.ts";
import { bundle } from "./support/bundle.ts";
import { entriesOf } from "./support/workspace.ts";

const entries = publishedPackages().flatMap(entriesOf);

/** How many bytes an import costs before anything is called: minified and gzipped, without what is loaded on first use. */
const LIMITS = [
  { names: "{ sanitize }", from: "@caliban/memory", maxBytes: 8_000 },
  { names: "*", from: "@caliban/memory", maxBytes: 40_000 },
  { names: "*", from: "@caliban/memory/secrets", maxBytes: 1_000 },
] as const;

it.for(LIMITS)(
  "loads at most $maxBytes bytes for $names of $from",
  async ({ names, from, maxBytes }) => {
    const chunks = await loadedAtOnce(names, from);
    const bytes = chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  },
);

it("loads the YAML library and the secret scanner of @caliban/memory on first use", async () => {
  const modules = (await loadedAtOnce("*", "@caliban/memory")).flatMap(
    ({ moduleIds }) => moduleIds,
  );
  expect(
    modules.filter((id) => /[\\/]yaml[\\/]|(?:find-by-pattern|scan-text)\.js$/.test(id)),
  ).toEqual([]);
});

/** The chunks that an import loads: its own, and those that they import statically. */
async function loadedAtOnce(names: string, from: string): Promise<readonly OutputChunk[]> {
  const built = entries.find(({ specifier }) => specifier === from)?.built ?? from;
  const source = `export ${names} from ${JSON.stringify(built)};`;
  const chunks = await bundle({ source, files: "split" });
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set<OutputChunk>();
  const visit = (chunk: OutputChunk | undefined): void => {
    if (chunk === undefined || loaded.has(chunk)) return;
    loaded.add(chunk);
    for (const imported of chunk.imports) visit(byName.get(imported));
  };
  visit(chunks.find(({ isEntry }) => isEntry));
  return [...loaded];
}
