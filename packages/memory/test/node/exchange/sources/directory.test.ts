import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import { directorySource } from "../../../../src/node/exchange/sources/directory.ts";

async function directoryWith(names: readonly string[]): Promise<string> {
  const directory = join(await temporaryDirectory(), "notes");
  await writeFiles(directory, Object.fromEntries(names.map((name) => [name, "12345\n"])));
  return directory;
}

describe("directorySource", () => {
  it("reads up to the maximum number of files and names the others", async () => {
    const directory = await directoryWith(["a.md", "b.md", "c.md", "d.md"]);
    const source = directorySource("dir", directory, { maxFiles: 3, maxBytes: 100 });
    expect(source.files.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(source.notices).toEqual([
      { code: "TOO_MANY", message: "ignored (too many files): d.md" },
    ]);
  });

  it("names the first five files that are not Markdown", async () => {
    const names = Array.from({ length: 7 }, (_, index) => `image-${index}.png`);
    const { files, notices } = directorySource("dir", await directoryWith(names));
    expect(files).toEqual([]);
    expect(notices.map(({ message }) => message)).toEqual([
      "ignored (not Markdown files): image-0.png, image-1.png, image-2.png, image-3.png, image-4.png and 2 more",
    ]);
  });

  it("reports a problem for each file after the maximum number of bytes", async () => {
    const directory = await directoryWith(["a.md", "b.md", "c.md"]);
    const { files } = directorySource("dir", directory, { maxFiles: 10, maxBytes: 10 });
    expect(files.map((file) => ("problem" in file ? file.problem.code : file.text))).toEqual([
      "12345\n",
      "12345\n",
      "TOO_MANY",
    ]);
  });

  it("reports a directory that does not exist", () => {
    expect(directorySource("dir", "/no/such/directory")).toMatchObject({
      exists: false,
      files: [],
    });
  });
});
