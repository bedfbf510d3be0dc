import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { openHistoryFile } from "../../src/node/history-file.ts";

describe("the history file", () => {
  it("keeps the entries of all sessions that write at the same time, readable only by the user", async () => {
    const path = join(await temporaryDirectory(), "state", "history.jsonl");
    const texts = Array.from({ length: 12 }, (_, at) => `line ${at}`);
    await Promise.all(
      texts.map(async (text) => await openHistoryFile(path).add({ text, project: "/a" })),
    );
    const read = openHistoryFile(path).read();
    expect(read.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
  });

  it("neither follows a link nor replaces what it cannot read", async () => {
    const directory = await temporaryDirectory();
    const target = join(directory, "other");
    await writeFile(target, "kept");
    await symlink(target, join(directory, "link"));
    await mkdir(join(directory, "directory"));
    for (const name of ["link", "directory"]) {
      const file = openHistoryFile(join(directory, name));
      expect(file.read).toThrow(/link|regular file/);
      await expect(file.add({ text: "a", project: "/a" })).rejects.toThrow(/link|regular file/);
    }
  });
});
