import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import {
  isSymlink,
  listEntries,
  listNames,
  lstatIfExists,
  realPathIfExists,
  statIfExists,
} from "../../src/node/fs.ts";

async function sampleDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "file"), "");
  await mkdir(join(directory, "folder"));
  await symlink("file", join(directory, "link"));
  await symlink("gone", join(directory, "dangling"));
  return directory;
}

it("statIfExists follows links, and lstatIfExists does not", async () => {
  const directory = await sampleDirectory();
  const at = (name: string): string => join(directory, name);
  expect(statIfExists(at("link"))?.isFile()).toBe(true);
  expect(lstatIfExists(at("link"))?.isSymbolicLink()).toBe(true);
  expect(statIfExists(at("dangling"))).toBeUndefined();
  expect(lstatIfExists(at("dangling"))).toBeDefined();
});

it("isSymlink is true for a link, dangling or not, and for nothing else", async () => {
  const directory = await sampleDirectory();
  const names = ["link", "dangling", "file", "folder", "missing"];
  expect(names.map((name) => isSymlink(join(directory, name)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it("realPathIfExists resolves links", async () => {
  const directory = await sampleDirectory();
  expect(realPathIfExists(join(directory, "link"))).toBe(realPathIfExists(join(directory, "file")));
  expect(realPathIfExists(join(directory, "dangling"))).toBeUndefined();
});

it("listNames and listEntries list a directory", async () => {
  const directory = await sampleDirectory();
  const names = ["dangling", "file", "folder", "link"];
  expect(new Set(listNames(directory))).toEqual(new Set(names));
  expect(new Set(listEntries(directory).map(({ name }) => name))).toEqual(new Set(names));
});

it.for(["missing", "file/below", "x".repeat(5_000)])(
  "no function of fs.ts throws for the path %j",
  async (name) => {
    const path = join(await sampleDirectory(), name);
    expect([statIfExists(path), lstatIfExists(path), realPathIfExists(path)]).toEqual(
      Array(3).fill(undefined),
    );
    expect([listNames(path), listEntries(path), isSymlink(path)]).toEqual([[], [], false]);
  },
);
