import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../test/support/without-privileges.ts";
import { readTextFile } from "../../src/node/read-text-file.ts";

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryDirectory(), "file.md");
  await writeFile(path, content);
  return path;
}

it("readTextFile reads a whole file", async () => {
  expect(readTextFile(await fileWith("zwölf\n"), 100)).toEqual({
    kind: "text",
    text: "zwölf\n",
    fileBytes: 7,
    readBytes: 7,
    invalidAt: undefined,
    inode: expect.stringMatching(/^\d+:\d+$/),
  });
});

it.for([0, 1, 2, 3, 4, 5, 6, 7])(
  "readTextFile stops after %j bytes without splitting a character",
  async (max) => {
    const file = readTextFile(await fileWith("aé🙂b"), max);
    const text = ["", "a", "a", "aé", "aé", "aé", "aé", "aé🙂"][max];
    expect(file).toMatchObject({
      text,
      fileBytes: 8,
      readBytes: Buffer.byteLength(text ?? ""),
    });
  },
);

it("readTextFile replaces invalid UTF-8 and reports its position", async () => {
  const path = await fileWith(Uint8Array.of(0x61, 0xff, 0x62));
  expect(readTextFile(path, 100)).toMatchObject({
    text: "a\uFFFDb",
    invalidAt: { line: 1, column: 2 },
  });
});

it("readTextFile reports the first invalid bytes after a genuine replacement character", async () => {
  const path = await fileWith(Buffer.concat([Buffer.from("\uFFFD\nab"), Uint8Array.of(0xe9)]));
  expect(readTextFile(path, 100)).toMatchObject({ invalidAt: { line: 2, column: 3 } });
  expect(readTextFile(await fileWith("\uFFFD"), 100)).toMatchObject({ invalidAt: undefined });
});

it("readTextFile truncates a longer file at a line end and reports both sizes", async () => {
  expect(readTextFile(await fileWith("one\r\ntwo\r\n"), 8)).toMatchObject({
    text: "one\r\n",
    fileBytes: 10,
    readBytes: 5,
  });
});

it.skipIf(process.platform !== "linux")(
  "readTextFile reads a file that reports a size of zero",
  async () => {
    const file = readTextFile("/proc/self/status", 20);
    expect(file).toMatchObject({ kind: "text", fileBytes: 21 });
  },
);

it("readTextFile keeps a byte order mark", async () => {
  expect(readTextFile(await fileWith("\uFEFFa"), 100)).toMatchObject({ text: "\uFEFFa" });
});

it("readTextFile treats a path through a file and a dangling link as missing", async () => {
  const path = await fileWith("");
  const link = `${path}.link`;
  await symlink(`${path}.gone`, link);
  for (const absent of [`${path}.gone`, join(path, "below"), link, `/${"x".repeat(5000)}`]) {
    expect(readTextFile(absent, 100)).toMatchObject({ kind: "missing" });
  }
});

it("readTextFile reports that a directory is not a file", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "CLAUDE.md"));
  expect(readTextFile(join(directory, "CLAUDE.md"), 100)).toMatchObject({
    kind: "not-a-file",
  });
});

it.skipIf(process.platform === "win32")(
  "readTextFile does not wait for a writer of a named pipe",
  async () => {
    const path = join(await temporaryDirectory(), "pipe");
    execFileSync("mkfifo", [path]);
    expect(readTextFile(path, 100)).toMatchObject({ kind: "not-a-file" });
  },
);

it("readTextFile reports a loop of links as unreadable", async () => {
  const path = join(await temporaryDirectory(), "loop");
  await symlink(path, path);
  expect(readTextFile(path, 100)).toEqual({
    kind: "unreadable",
    message: "it is a loop of symbolic links",
  });
});

it.skipIf(process.platform === "win32")(
  "readTextFile reports that permission is denied",
  async () => {
    const path = await fileWith("secret");
    await chmod(dirname(path), 0o755);
    await chmod(path, 0o000);
    expect(await withoutPrivileges(async () => readTextFile(path, 100))).toEqual({
      kind: "unreadable",
      message: "permission denied",
    });
  },
);
