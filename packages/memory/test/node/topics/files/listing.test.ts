import { chmod, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../../../test/support/without-privileges.ts";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import {
  createTopicListing,
  type TopicListing,
} from "../../../../src/node/topics/files/listing.ts";

const fileOf = (description: string): string =>
  `---\nname: x\ndescription: ${description}\ntype: user\n---\n\nBody.\n`;

async function descriptions(
  listing: TopicListing,
  directory: string,
): Promise<Readonly<Record<string, string>>> {
  const { topics } = await listing.list(directory);
  return Object.fromEntries(topics.map(({ slug, description }) => [slug, description]));
}

describe("createTopicListing", () => {
  it("opens no file again whose time, size and inode are the same", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "a.md": fileOf("one") });
    const path = join(directory, "a.md");
    // A time that can be set again exactly.
    await utimes(path, 1_000, 1_000);
    const { size, ino } = await stat(path);
    const listing = createTopicListing();
    expect(await descriptions(listing, directory)).toEqual({ a: "one" });
    await writeFile(path, fileOf("two"));
    await utimes(path, 1_000, 1_000);
    expect(await stat(path)).toMatchObject({ size, ino });
    expect(await descriptions(listing, directory)).toEqual({ a: "one" });
    expect(await descriptions(createTopicListing(), directory)).toEqual({ a: "two" });
  });

  it.for([
    ["time", async (path: string) => await writeFile(path, fileOf("two"))],
    [
      "size",
      async (path: string) => {
        const { atime, mtime } = await stat(path);
        await writeFile(path, fileOf("three"));
        await utimes(path, atime, mtime);
      },
    ],
    [
      "number",
      async (path: string) => {
        const { atime, mtime } = await stat(path);
        await writeFile(`${path}.tmp`, fileOf("two"));
        await utimes(`${path}.tmp`, atime, mtime);
        await rename(`${path}.tmp`, path);
      },
    ],
  ] as const)("notices a file whose %s changed", async ([, change]) => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "a.md": fileOf("one"), "b.md": fileOf("one") });
    const path = join(directory, "a.md");
    await utimes(path, 1_000, 1_000);
    const listing = createTopicListing();
    expect(await descriptions(listing, directory)).toEqual({ a: "one", b: "one" });
    await change(path);
    const seen = await descriptions(listing, directory);
    expect(seen["a"]).not.toBe("one");
    expect(seen["b"]).toBe("one");
  });

  it("drops removed topics and adds new ones", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "a.md": fileOf("one"), "b.md": fileOf("one") });
    const listing = createTopicListing();
    await listing.list(directory);
    await rm(join(directory, "a.md"));
    await writeFiles(directory, { "c.md": fileOf("one") });
    expect(Object.keys(await descriptions(listing, directory)).toSorted()).toEqual(["b", "c"]);
    await rm(directory, { recursive: true });
    expect(await listing.list(directory)).toEqual({ topics: [], problems: [] });
  });

  it("reads an unreadable file again", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "a.md": fileOf("one"), "b.md": fileOf("one") });
    await chmod(directory, 0o755);
    await chmod(join(directory, "a.md"), 0o000);
    await chmod(join(directory, "b.md"), 0o644);
    const listing = createTopicListing();
    await withoutPrivileges(async () => {
      expect(await listing.list(directory)).toMatchObject({
        topics: [{ slug: "b" }],
        problems: [
          {
            slug: "a",
            message: "cannot read a.md: permission denied; fix it or move it away",
          },
        ],
      });
    });
    await chmod(join(directory, "a.md"), 0o644);
    await withoutPrivileges(async () => {
      expect(await descriptions(listing, directory)).toEqual({ a: "one", b: "one" });
    });
  });

  it("sorts by the time in the header, then by file time, then by name", async () => {
    const directory = await temporaryDirectory();
    const dated = (updated: string): string =>
      `---\ndescription: x\nmetadata:\n  type: user\n  updated: ${updated}\n---\n\nBody.\n`;
    await writeFiles(directory, {
      "newest.md": dated("2030-01-01T00:00:00.000Z"),
      "oldest.md": dated("1960-01-01T00:00:00.000Z"),
      "no-date.md": dated("yesterday"),
      "b.md": fileOf("x"),
      "a.md": fileOf("x"),
    });
    for (const name of ["no-date", "a", "b"]) {
      await utimes(join(directory, `${name}.md`), 0, name === "no-date" ? 2_000 : 1_000);
    }
    const { topics } = await createTopicListing().list(directory);
    expect(topics.map(({ slug }) => slug)).toEqual(["newest", "no-date", "a", "b", "oldest"]);
  });

  it("lists exactly the topics in the directory", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, {
      "MEMORY.md": "",
      "memory.md": "",
      ".hidden.md": "",
      "a.txt": "",
      "a.md.tmp": "",
      "sub/b.md": "",
      "ok.md": "",
      "a b.md": "",
    });
    const { topics, problems } = await createTopicListing().list(directory);
    expect(topics.map(({ slug }) => slug).toSorted()).toEqual(["a b", "ok"]);
    expect(problems).toEqual([]);
  });
});
