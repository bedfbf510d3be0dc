import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { planExport } from "../../../src/node/exchange/plan-export.ts";
import { planImport } from "../../../src/node/exchange/plan-import.ts";
import { locateMemory } from "../../../src/project/locations.ts";
import { createFsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";
import { unsyncedDisk } from "../topics/intercepted-disk.ts";

const ENVIRONMENT = { env: {}, platform: "linux", home: undefined };

/** Imports a directory into an empty store, exports it again, and returns both directories byte for byte. */
async function roundTrip(
  files: Readonly<Record<string, string>>,
): Promise<readonly [before: unknown, after: unknown]> {
  const root = await temporaryDirectory();
  const [path, memory, directory] = [join(root, "from"), join(root, "memory"), join(root, "to")];
  await writeFiles(path, files);
  const topics = {
    store: createFsTopicStore({ directory: memory, disk: unsyncedDisk }),
    directory: memory,
    locations: locateMemory({ ...ENVIRONMENT, slug: "app", directory: memory }),
    environment: ENVIRONMENT,
    workspaceRoot: root,
    projectPath: root,
  };
  await (await planImport({ topics, from: "dir", path })).run();
  await (await planExport(topics)).toDirectory(directory)?.write();
  return [await bytesIn(path), await bytesIn(directory)];
}

async function bytesIn(directory: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(directory)).toSorted();
  const texts = names.map(
    async (name) => [name, (await readFile(join(directory, name))).toString("base64")] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

const LINES = [
  "---",
  "name: a",
  "type: user",
  "# x",
  "words",
  "",
  "- [A](a.md) — x",
  "<!--",
  "```",
];

const text = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(fc.constantFrom(...LINES), { maxLength: 6 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([mark, lines, end, isEnded]) => `${mark}${lines.join(end)}${isEnded ? end : ""}`);

it("keeps every byte of any small files in an import and an export", async () => {
  const name = fc.constantFrom("a", "b", "user_x", "A b", "ä");
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, text, { maxKeys: 3 }), text, async (topics, index) => {
      const files = Object.entries(topics).map(([key, value]) => [`${key}.md`, value] as const);
      const [before, after] = await roundTrip({ ...Object.fromEntries(files), "MEMORY.md": index });
      expect(after).toEqual(before);
    }),
    { numRuns: 40 },
  );
});
