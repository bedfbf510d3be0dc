import { execFile } from "node:child_process";
import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { fileSession } from "../../support/workspace-tools.ts";

describe("Write", () => {
  it("creates a file with the directories above it, and says what it wrote", async () => {
    const { call, root } = await fileSession();
    const { text, data } = await call("Write", { file_path: "a/b/c.ts", content: "one\ntwo" });
    expect(text).toBe("Created a/b/c.ts: 2 lines, 7 bytes.");
    expect(data).toEqual({ path: "a/b/c.ts", isNew: true, lines: 2, bytes: 7 });
    expect(await readFile(join(root, "a/b/c.ts"), "utf8")).toBe("one\ntwo");
    expect(await readdir(join(root, "a/b"))).toEqual(["c.ts"]);
  });

  it("replaces a file only after it was read, and only as it was read", async () => {
    const { call, text, root } = await fileSession({ "app/a": "old\n" });
    const unread = await call("Write", { file_path: "a", content: "new" });
    expect([unread.isError, unread.data]).toEqual([true, { code: "NOT_READ" }]);
    expect(unread.text).toContain("Read it first");
    await text("Read", { file_path: "a" });
    await writeFile(join(root, "a"), "mid\n");
    const changed = await call("Write", { file_path: "a", content: "new" });
    expect([changed.isError, changed.data]).toEqual([true, { code: "CHANGED" }]);
    expect(changed.text).toContain("Read it again");
    expect(await readFile(join(root, "a"), "utf8")).toBe("mid\n");
    await text("Read", { file_path: "a" });
    expect(await text("Write", { file_path: "a", content: "new\n" })).toBe(
      "Replaced a: 1 line, 4 bytes.",
    );
    expect(await text("Write", { file_path: "a", content: "newer\n" })).toContain("Replaced");
  });

  it("takes the same text for the same file, whatever its time", async () => {
    const { text, root } = await fileSession({ "app/a": "old\n" });
    await text("Read", { file_path: "a" });
    await writeFile(join(root, "a"), "old\n");
    expect(await text("Write", { file_path: "a", content: "new" })).toContain("Replaced");
  });

  it("notices a change that keeps size and time", async () => {
    const { call, text, root } = await fileSession({ "app/a": "old\n" });
    await text("Read", { file_path: "a" });
    const { atime, mtime } = await stat(join(root, "a"));
    await writeFile(join(root, "a"), "odd\n");
    const { utimes } = await import("node:fs/promises");
    await utimes(join(root, "a"), atime, mtime);
    expect((await call("Write", { file_path: "a", content: "new" })).data).toEqual({
      code: "CHANGED",
    });
  });

  it("keeps the mode of a file, and the link that leads to it", async () => {
    const { text, root } = await fileSession({ "app/run.sh": "old\n" });
    await chmod(join(root, "run.sh"), 0o751);
    await symlink("run.sh", join(root, "link"));
    await text("Read", { file_path: "link" });
    await text("Write", { file_path: "link", content: "new\n" });
    expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o751);
    expect((await lstat(join(root, "link"))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(root, "run.sh"), "utf8")).toBe("new\n");
  });

  it("is on the disk before it takes the place of what was there", async () => {
    const { root } = await fileSession();
    const program = join(import.meta.dirname, "write-file.process.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--conditions=caliban:source",
      program,
      join(root, "a"),
    ]);
    expect(JSON.parse(stdout)).toEqual(["writeFile", "fsync", "closeSync", "renameSync"]);
    expect(await readFile(join(root, "a"), "utf8")).toBe("new\n");
  });

  it("refuses more than 10 MB, and leaves nothing behind", async () => {
    const { call, root } = await fileSession();
    const { data } = await call("Write", { file_path: "a", content: "x".repeat(10_000_001) });
    expect(data).toEqual({ code: "TOO_LARGE" });
    expect(await readdir(root)).toEqual([]);
  });

  it("tells what the system refuses", async () => {
    const { call } = await fileSession({ "app/file": "" });
    const { isError, text } = await call("Write", { file_path: "file/below", content: "" });
    expect([isError, text]).toEqual([
      true,
      "The path leads through a file, or is too long. Use another one.",
    ]);
  });
});
