import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { createDirectoryLister } from "../../../src/node/protection/directory-lister.ts";

it("lists a directory again only if it has changed", async () => {
  const { list, refresh } = createDirectoryLister();
  // Old enough that another change could not have the same time stamp.
  const listing = list("/usr");
  refresh();
  expect(list("/usr")).toBe(listing);
  const directory = await temporaryDirectory();
  const names = (): readonly string[] => {
    refresh();
    return list(join(directory, "a")).entries.map(({ name }) => name);
  };
  expect(names()).toEqual([]);
  await mkdir(join(directory, "a"));
  expect(names()).toEqual([]);
  await writeFile(join(directory, "a/x"), "");
  expect(names()).toEqual(["x"]);
  await mkdir(join(directory, "b"));
  await writeFile(join(directory, "b/y"), "");
  await rename(join(directory, "a"), join(directory, "c"));
  await rename(join(directory, "b"), join(directory, "a"));
  expect(names()).toEqual(["y"]);
});
