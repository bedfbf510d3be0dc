import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { holdDirectory, holdNewDirectory } from "../../src/node/held-directory.ts";

async function withOutside(): Promise<{ root: string; outside: string }> {
  const home = await temporaryDirectory();
  const [root, outside] = [join(home, "root"), join(home, "outside")];
  await mkdir(join(root, "dir"), { recursive: true });
  await mkdir(outside);
  return { root, outside };
}

/** Replaces a directory by a link. */
async function swap(directory: string, target: string): Promise<void> {
  await rename(directory, `${directory}.moved`);
  await symlink(target, directory);
}

it("holdDirectory stays in the same directory when a link replaces it", async () => {
  const { root, outside } = await withOutside();
  const held = holdDirectory(join(root, "dir"));
  await swap(join(root, "dir"), outside);
  // On platforms where directories cannot be held, the check fails.
  if (held?.isUnmoved() === true) await writeFile(join(held.base, "new"), "x");
  held?.release();
  expect(await readdir(outside)).toEqual([]);
  expect(holdDirectory(join(root, "dir"))).toBeUndefined();
});

it("holdDirectory refuses a directory behind a link, a file and nothing", async () => {
  const { root, outside } = await withOutside();
  await mkdir(join(outside, "below"));
  await writeFile(join(root, "file"), "");
  await symlink(outside, join(root, "link"));
  for (const name of ["link", "link/below", "file", "missing"]) {
    expect(holdDirectory(join(root, name))).toBeUndefined();
  }
});

it("holdNewDirectory creates missing directories, and none behind a link", async () => {
  const { root, outside } = await withOutside();
  holdNewDirectory(join(root, "dir/a/b"))?.release();
  expect(await readdir(join(root, "dir/a"))).toEqual(["b"]);
  await symlink(outside, join(root, "link"));
  expect(holdNewDirectory(join(root, "link/a/b"))).toBeUndefined();
  expect(await readdir(outside)).toEqual([]);
});
