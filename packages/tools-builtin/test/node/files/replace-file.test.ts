import { execFile } from "node:child_process";
import { readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { FileToolError } from "../../../src/node/file-tool-error.ts";
import { holdDirectory } from "../../../src/node/files/replace-file.ts";
import { workspaceTools, type WorkspaceTools } from "../../support/workspace-tools.ts";

/** Replaces `dir` by a link to a directory outside, and restores it, as fast as it can. */
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
  // A writer may just have created the directory again.
  const isMoved = attempt(() => renameSync(from, to));
  if (!isMoved && to === "dir") attempt(() => rmSync("dir", { recursive: true }));
};
while (!existsSync(process.argv[3])) {
  move("dir", "moved");
  move("other", "dir");
  move("dir", "other");
  move("moved", "dir");
}
`;

const MIN_ATTEMPTS = process.env["FULL"] === "1" ? 5_000 : 60;

/** Repeats an action while the directory is being swapped, until it has seen both states. */
async function whileSwapping(
  action: (tools: WorkspaceTools) => Promise<void>,
  hasSeenBoth: () => boolean,
): Promise<WorkspaceTools> {
  const session = await workspaceTools({ "secret/f": "private", "app/dir/f": "mine" });
  const { home, root } = session;
  const stop = join(home, "stop");
  await symlink(join(home, "secret"), join(root, "other"));
  await writeFile(join(home, "swap.mjs"), SWAPPER);
  const swapping = promisify(execFile)(process.execPath, [join(home, "swap.mjs"), root, stop]);
  for (let attempt = 0; attempt < MIN_ATTEMPTS || !hasSeenBoth(); attempt++) await action(session);
  await writeFile(stop, "");
  await swapping;
  return session;
}

describe("a directory that is being swapped for a link", () => {
  it("never leads a tool to a file outside the workspace", { timeout: 60_000 }, async () => {
    const texts = new Set<string>();
    const hasSeen = (part: string): boolean => [...texts].some((text) => text.includes(part));
    const { home } = await whileSwapping(
      async ({ call }) => {
        texts.add((await call("Read", { file_path: "dir/f" })).text);
        texts.add((await call("Write", { file_path: "dir/new", content: "x" })).text);
      },
      () => hasSeen("mine") && hasSeen("outside the workspace"),
    );
    expect(hasSeen("private")).toBe(false);
    expect(await readdir(join(home, "secret"))).toEqual(["f"]);
  });
});

describe("a held directory", () => {
  it("stays the same directory when a link replaces it", async () => {
    const { home, root } = await workspaceTools({ "secret/f": "private", "app/dir/f": "mine" });
    const directory = join(root, "dir");
    const path = join(directory, "new");
    const held = holdDirectory({ path, requested: path, display: "dir/new" }, directory);
    await rename(directory, join(root, "moved"));
    await symlink(join(home, "secret"), directory);
    // On platforms where directories cannot be held, the check fails.
    const refusal = await Promise.resolve()
      .then(held.check)
      .then(() => writeFile(join(held.base, "new"), "x"))
      .catch((error: unknown) => error);
    expect(refusal === undefined || refusal instanceof FileToolError).toBe(true);
    held.release();
    expect(await readdir(join(home, "secret"))).toEqual(["f"]);
    expect(() => holdDirectory({ path, requested: path, display: "dir/new" }, directory)).toThrow(
      "was moved while it was being opened",
    );
  });
});
