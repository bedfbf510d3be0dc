import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import { planDirectoryExport } from "../../../../src/node/exchange/export/directory.ts";
import { createFsTopicStore } from "../../../../src/node/topics/fs-topic-store.ts";
import { readStoreFiles, type StoreFiles } from "../../../../src/store/stored-files.ts";

async function directories(
  target: Readonly<Record<string, string>> = {},
): Promise<{ readonly files: StoreFiles; readonly directory: string }> {
  const root = await temporaryDirectory();
  const directory = join(root, "target");
  await writeFiles(join(root, "memory"), {
    "MEMORY.md": "# Index\n",
    "a.md": "A\n",
    "b.md": "B\n",
  });
  await writeFiles(directory, target);
  return {
    files: await readStoreFiles(createFsTopicStore({ directory: join(root, "memory") })),
    directory,
  };
}

describe("planDirectoryExport", () => {
  it("plans each file without writing, then writes the index last", async () => {
    const { files, directory } = await directories({ "a.md": "A\n" });
    const plan = planDirectoryExport({ directory, files });
    expect(plan.files).toEqual([
      { name: "a.md", state: "unchanged" },
      { name: "b.md", state: "create" },
      { name: "MEMORY.md", state: "create" },
    ]);
    await expect(readFile(join(directory, "b.md"))).rejects.toThrow("ENOENT");
    expect((await plan.write()).map(({ state }) => state)).toEqual([
      "unchanged",
      "created",
      "created",
    ]);
    expect(await readFile(join(directory, "b.md"), "utf8")).toBe("B\n");
  });

  it("refuses to replace a different file unless told to", async () => {
    const { files, directory } = await directories({ "a.md": "Theirs\n" });
    const refused = planDirectoryExport({ directory, files });
    expect(refused.files[0]).toMatchObject({ state: "refused", problem: { code: "DIFFERENT" } });
    const replacing = planDirectoryExport({ directory, files, replace: true });
    expect((await replacing.write())[0]).toEqual({ name: "a.md", state: "replaced" });
    expect(await readFile(join(directory, "a.md"), "utf8")).toBe("A\n");
  });

  it("adds the missing lines to an index with other content, and keeps everything else in it", async () => {
    const theirs = "Mine:\r\n\r\n- [Old](old.md) — theirs\r\n";
    const { files, directory } = await directories({
      "MEMORY.md": theirs,
      "old.md": "Old\n",
      "a.md": "Theirs\n",
    });
    const withLine = { ...files, index: "# Index\n\n- [About B](b.md) — by hand\n" };
    const plan = planDirectoryExport({ directory, files: withLine });
    expect(plan.files.at(-1)).toEqual({ name: "MEMORY.md", state: "extend", addedLines: 1 });
    expect((await plan.write()).at(-1)).toMatchObject({ state: "extended" });
    const path = join(directory, "MEMORY.md");
    expect(await readFile(path, "utf8")).toBe(`${theirs}- [About B](b.md) — by hand\r\n`);
    const again = planDirectoryExport({ directory, files: withLine });
    expect(again.files.at(-1)).toEqual({ name: "MEMORY.md", state: "unchanged", addedLines: 0 });
  });

  it("keeps an index that is not valid UTF-8, or that changed after the plan", async () => {
    const { files, directory } = await directories({ "MEMORY.md": "theirs\n" });
    const path = join(directory, "MEMORY.md");
    const plan = planDirectoryExport({ directory, files });
    expect(plan.files.at(-1)).toMatchObject({ state: "extend", addedLines: 2 });
    const bytes = Buffer.from([0x61, 0xff, 0x0a]);
    await writeFile(path, bytes);
    expect((await plan.write()).at(-1)?.problem?.code).toBe("CHANGED");
    const invalid = planDirectoryExport({ directory, files });
    expect(invalid.files.at(-1)?.problem?.code).toBe("DIFFERENT");
    expect(await readFile(path)).toEqual(bytes);
  });

  it("refuses a file that changed or appeared after the plan", async () => {
    const { files, directory } = await directories({ "a.md": "Theirs\n" });
    const plan = planDirectoryExport({ directory, files, replace: true });
    await writeFile(join(directory, "a.md"), "Newer\n");
    await writeFile(join(directory, "b.md"), "New\n");
    expect((await plan.write()).map(({ problem }) => problem?.code)).toEqual([
      "CHANGED",
      "CHANGED",
      undefined,
    ]);
    expect(await readFile(join(directory, "a.md"), "utf8")).toBe("Newer\n");
    expect(await readFile(join(directory, "b.md"), "utf8")).toBe("New\n");
  });
});
