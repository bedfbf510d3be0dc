import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { nodeDisk } from "../../src/node/disk.ts";
import { createFileAtomic, writeFileAtomic } from "../../src/node/write-file-atomic.ts";

it("writeFileAtomic creates missing directories for the owner only", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "a", "b", "file");
  await writeFileAtomic(path, "text");
  expect(await readFile(path, "utf8")).toBe("text");
  if (process.platform === "win32") return;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(directory, "a", "b"))).mode & 0o777).toBe(0o700);
});

it("writeFileAtomic replaces a file and leaves no other file behind", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "file");
  await writeFile(path, "old");
  await writeFileAtomic(path, "new");
  expect(await readFile(path, "utf8")).toBe("new");
  expect(await readdir(directory)).toEqual(["file"]);
});

it("writeFileAtomic removes its temporary file after a failure", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "taken");
  await mkdir(join(path, "below"), { recursive: true });
  await expect(writeFileAtomic(path, "text")).rejects.toThrow(/EISDIR|ENOTEMPTY|EPERM/);
  expect(await readdir(directory)).toEqual(["taken"]);
});

it(
  "writeFileAtomic leaves the old or the new text when the writer is killed",
  { timeout: 30_000 },
  async () => {
    const path = join(await temporaryDirectory(), "file");
    await writeFileAtomic(path, "0".repeat(200_000));
    for (let round = 0; round < 4; round++) {
      const writer = fork(join(import.meta.dirname, "endless-writer.process.ts"), [path], {
        execArgv: ["--conditions=caliban:source", "--no-warnings"],
      });
      await once(writer, "message");
      await delay(round * 9);
      writer.kill("SIGKILL");
      await once(writer, "exit");
      expect(await readFile(path, "utf8")).toMatch(/^(?:0{200000}|1{200000})$/);
    }
  },
);

it("createFileAtomic creates a private file and leaves no other file behind", async () => {
  const directory = await temporaryDirectory();
  await createFileAtomic(join(directory, "new.txt"), "text");
  expect(await readdir(directory)).toEqual(["new.txt"]);
  expect(await readFile(join(directory, "new.txt"), "utf8")).toBe("text");
  expect((await stat(join(directory, "new.txt"))).mode & 0o777).toBe(0o600);
});

it("createFileAtomic never replaces a file", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "old.txt"), "old");
  await expect(createFileAtomic(join(directory, "old.txt"), "new")).rejects.toThrow("EEXIST");
  expect(await readdir(directory)).toEqual(["old.txt"]);
  expect(await readFile(join(directory, "old.txt"), "utf8")).toBe("old");
});

it("createFileAtomic works on a file system without hard links", async () => {
  const directory = await temporaryDirectory();
  const link = async (): Promise<void> => {
    throw Object.assign(new Error("no hard links"), { code: "ENOTSUP" });
  };
  await createFileAtomic(join(directory, "new.txt"), "text", { ...nodeDisk, link });
  expect(await readdir(directory)).toEqual(["new.txt"]);
});
