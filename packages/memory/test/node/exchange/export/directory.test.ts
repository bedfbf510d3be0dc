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
