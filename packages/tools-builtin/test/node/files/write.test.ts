import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workspaceTools } from "../../support/workspace-tools.ts";

describe("Write", () => {
  it("creates a file and its parent directories, and reports its size", async () => {
    const { call, root } = await workspaceTools();
    const { text, data } = await call("Write", { file_path: "a/b/c.ts", content: "one\ntwo" });
    expect(text).toBe("Created a/b/c.ts: 2 lines, 7 bytes.");
    expect(data).toMatchObject({ path: "a/b/c.ts", isNew: true, lines: 2, bytes: 7, added: 2 });
    expect(await readFile(join(root, "a/b/c.ts"), "utf8")).toBe("one\ntwo");
    expect(await readdir(join(root, "a/b"))).toEqual(["c.ts"]);
  });

  it("replaces a file only if it was read and has not changed since", async () => {
    const { call, text, root } = await workspaceTools({ "app/a": "old\n" });
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

  it("returns a diff of the file that it replaced", async () => {
    const { text, call } = await workspaceTools({ "app/a": "one\ntwo\nthree\n" });
    await text("Read", { file_path: "a" });
    const { data } = await call("Write", { file_path: "a", content: "one\n2\nthree\n" });
    const diff = "  1\tone\n- \ttwo\n+ 2\t2\n  3\tthree";
    expect(data).toMatchObject({ isNew: false, added: 1, removed: 1, diff });
  });

  it("ignores a new modification time if the text is the same", async () => {
    const { text, root } = await workspaceTools({ "app/a": "old\n" });
    await text("Read", { file_path: "a" });
    await writeFile(join(root, "a"), "old\n");
    expect(await text("Write", { file_path: "a", content: "new" })).toContain("Replaced");
  });

  it("detects a change that keeps the size and the modification time", async () => {
    const { call, text, root } = await workspaceTools({ "app/a": "old\n" });
    await text("Read", { file_path: "a" });
    const { atime, mtime } = await stat(join(root, "a"));
    await writeFile(join(root, "a"), "odd\n");
    const { utimes } = await import("node:fs/promises");
    await utimes(join(root, "a"), atime, mtime);
    expect((await call("Write", { file_path: "a", content: "new" })).data).toEqual({
      code: "CHANGED",
    });
  });

  it("keeps the mode of a replaced file, and the link to it", async () => {
    const { text, root } = await workspaceTools({ "app/run.sh": "old\n" });
    await chmod(join(root, "run.sh"), 0o751);
    await symlink("run.sh", join(root, "link"));
    await text("Read", { file_path: "link" });
    await text("Write", { file_path: "link", content: "new\n" });
    expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o751);
    expect((await lstat(join(root, "link"))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(root, "run.sh"), "utf8")).toBe("new\n");
  });

  it("rejects more than 10 MB, and leaves no file behind", async () => {
    const { call, root } = await workspaceTools();
    const { data } = await call("Write", { file_path: "a", content: "x".repeat(10_000_001) });
    expect(data).toEqual({ code: "TOO_LARGE" });
    expect(await readdir(root)).toEqual([]);
  });

  it("explains a path that leads through a file", async () => {
    const { call } = await workspaceTools({ "app/file": "" });
    const { isError, text } = await call("Write", { file_path: "file/below", content: "" });
    expect([isError, text]).toEqual([
      true,
      "A part of the path is a file, or the path is too long. Use another path.",
    ]);
  });
});
