import { readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { withFileLock } from "../../../src/node/lock/file-lock.ts";

it("lets one action in at a time and leaves nothing behind", async () => {
  const directory = await temporaryDirectory();
  let inside = 0;
  const most: number[] = [];
  const action = async (): Promise<void> => {
    most.push(++inside);
    await delay(2);
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withFileLock(join(directory, "file"), action)));
  expect(most).toEqual(Array(8).fill(1));
  expect(await readdir(directory)).toEqual([]);
});

it("does not open the lock of whoever came after", async () => {
  const path = join(await temporaryDirectory(), "file");
  await withFileLock(path, async () => await writeFile(`${path}.lock`, "another"));
  expect(await readdir(dirname(path))).toEqual(["file.lock"]);
});

it("gives the lock back when the action fails", async () => {
  const path = join(await temporaryDirectory(), "file");
  await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withFileLock(path, async () => "yes")).toBe("yes");
});

it.for([-60_000, 10 ** 12])("replaces a holder whose lock is %j ms from now", async (ms) => {
  const path = join(await temporaryDirectory(), "file");
  await writeFile(`${path}.lock`, "");
  const time = new Date(Date.now() + ms);
  await utimes(`${path}.lock`, time, time);
  expect(await withFileLock(path, async () => "yes")).toBe("yes");
});
