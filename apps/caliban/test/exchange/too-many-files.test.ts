import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { directorySource } from "../../src/commands/memory/exchange/sources/directory.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";

it("names the files of a directory that are too many at once, and takes the others", async () => {
  const notes = join(await temporaryDirectory(), "notes");
  await mkdir(notes);
  const names = Array.from({ length: 20_001 }, (_, at) => `n${String(at).padStart(5, "0")}.md`);
  for (let at = 0; at < names.length; at += 500) {
    const some = names.slice(at, at + 500);
    await Promise.all(some.map((name) => writeFile(join(notes, name), "x\n")));
  }
  const source = await directorySource("dir", notes);
  expect(source.files).toHaveLength(20_000);
  expect(source.notes).toEqual([expect.stringMatching(/because there are too many: n20000\.md$/)]);
});
