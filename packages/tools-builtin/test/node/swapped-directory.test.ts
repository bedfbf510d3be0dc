import { execFile } from "node:child_process";
import { readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { FileToolError } from "../../src/node/file-tool-error.ts";
import { holdDirectory } from "../../src/node/files/replace-file.ts";
import { fileSession, type FileToolSession } from "../support/workspace-tools.ts";

/** Puts a link to a directory outside in place of `dir`, and `dir` back, as fast as it can. */
const SWAPPER = `
import { existsSync, renameSync, rmSync } from "node:fs";
process.chdir(process.argv[2]);
const attempt = (action) => {
  try {
    action();
    return true;
  } catch {
    return false;
  }
};
const move = (from, to) => {
  // Whoever writes may just have made the directory anew.
  const isMoved = attempt(() => renameSync(from, to));
  if (!isMoved && to === "dir") attempt(() => rmSync("dir", { recursive: true }));
};
while (!existsSync(process.argv[3])) {
  move("dir", "aside");
  move("other", "dir");
  move("dir", "other");
  move("aside", "dir");
}
`;

async function whileSwapping(
  action: (session: FileToolSession) => Promise<void>,
): Promise<FileToolSession> {
  const session = await fileSession({ "secret/f": "private", "app/dir/f": "mine" });
  const { home, root } = session;
  const stop = join(home, "stop");
  await symlink(join(home, "secret"), join(root, "other"));
  await writeFile(join(home, "swap.mjs"), SWAPPER);
  const swapping = promisify(execFile)(process.execPath, [join(home, "swap.mjs"), root, stop]);
  const endMs = Date.now() + 1_500;
  while (Date.now() < endMs) await action(session);
  await writeFile(stop, "");
  await swapping;
  return session;
}

describe("a directory that is exchanged for a link all the time", () => {
  it("leads no tool to a file outside", async () => {
    const texts: string[] = [];
    const { home } = await whileSwapping(async ({ call }) => {
      texts.push((await call("Read", { file_path: "dir/f" })).text);
      texts.push((await call("Write", { file_path: "dir/new", content: "x" })).text);
    });
    expect(texts.join("\n")).not.toContain("private");
    expect(texts.join("\n")).toContain("mine");
    expect(texts.join("\n")).toContain("outside of the workspace");
    expect(await readdir(join(home, "secret"))).toEqual(["f"]);
  });
});

describe("a directory that is held", () => {
  it("leads nowhere else when a link takes its place", async () => {
    const { home, root } = await fileSession({ "secret/f": "private", "app/dir/f": "mine" });
    const directory = join(root, "dir");
    const path = join(directory, "new");
    const held = holdDirectory({ path, requested: path, display: "dir/new" }, directory);
    await rename(directory, join(root, "aside"));
    await symlink(join(home, "secret"), directory);
    // Where directories cannot be held, the check refuses.
    const refusal = await Promise.resolve()
      .then(held.check)
      .then(() => writeFile(join(held.base, "new"), "x"))
      .catch((error: unknown) => error);
    expect(refusal === undefined || refusal instanceof FileToolError).toBe(true);
    held.release();
    expect(await readdir(join(home, "secret"))).toEqual(["f"]);
    expect(() => holdDirectory({ path, requested: path, display: "dir/new" }, directory)).toThrow(
      "changed its place",
    );
  });
});
