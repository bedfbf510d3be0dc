import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { withFileLock } from "../../src/node/with-file-lock.ts";

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

it("gives the lock back when the action fails", async () => {
  const path = join(await temporaryDirectory(), "file");
  await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withFileLock(path, async () => "yes")).toBe("yes");
});

it("replaces a holder that has been dead for a while", async () => {
  const path = join(await temporaryDirectory(), "file");
  await writeFile(`${path}.lock`, "");
  const old = new Date(Date.now() - 60_000);
  await utimes(`${path}.lock`, old, old);
  expect(await withFileLock(path, async () => "yes")).toBe("yes");
});
