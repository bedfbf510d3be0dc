import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { interceptedDisk } from "../../../../memory/test/node/topics/intercepted-disk.ts";
import { type FileState, readFileState } from "../../../src/node/files/file-state.ts";
import { restoreFile, type RestoreOutcome } from "../../../src/node/files/restore-file.ts";
import type { FileChange } from "../../../src/node/tool-workspace.ts";
import { workspaceTools } from "../../support/workspace-tools.ts";

const BYTES = Uint8Array.from([0, 0xff, 0x80]);

async function restore(
  path: string,
  content: { readonly bytes: Uint8Array; readonly mode: number } | undefined,
  current?: FileState,
): Promise<RestoreOutcome> {
  const seen = current ?? (await readFileState(path));
  return await restoreFile({ path, display: "a", content, current: seen });
}

describe("restoreFile", () => {
  it("replaces, creates and removes a file, with its bytes and its mode", async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, "sub/a");
    const content = { bytes: BYTES, mode: 0o755 };
    expect(await restore(path, content)).toEqual({ kind: "restored" });
    expect([new Uint8Array(readFileSync(path)), statSync(path).mode & 0o777]).toEqual([
      BYTES,
      0o755,
    ]);
    writeFileSync(path, "other");
    chmodSync(path, 0o400);
    expect(await restore(path, content)).toEqual({ kind: "restored" });
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(await restore(path, undefined)).toEqual({ kind: "restored" });
    expect(readdirSync(join(directory, "sub"))).toEqual([]);
    expect(await restore(path, undefined)).toEqual({ kind: "restored" });
  });

  it.each([
    { title: "replacing", content: { bytes: BYTES, mode: 0o644 } },
    { title: "removing", content: undefined },
  ])("leaves what another program has written instead of $title it", async ({ content }) => {
    const path = join(await temporaryDirectory(), "a");
    writeFileSync(path, "seen");
    const current = await readFileState(path);
    writeFileSync(path, "theirs");
    expect(await restore(path, content, current)).toEqual({ kind: "changed" });
    expect(readFileSync(path, "utf8")).toBe("theirs");
  });

  it("keeps what another program writes between the check and the removal", async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, "a");
    writeFileSync(path, "seen");
    const current = await readFileState(path);
    const disk = interceptedDisk({
      before: ({ name }) => {
        if (name === "rename" && readFileSync(path, "utf8") === "seen")
          writeFileSync(path, "theirs");
      },
    });
    const request = { path, display: "a", content: undefined, current };
    expect(await restoreFile(request, disk)).toEqual({ kind: "changed" });
    expect(readFileSync(path, "utf8")).toBe("theirs");
  });

  it("never writes through a link that took the place of the directory", async () => {
    const directory = await temporaryDirectory();
    const outside = await temporaryDirectory();
    mkdirSync(join(directory, "sub"));
    const path = join(directory, "sub/a");
    const current = await readFileState(path);
    renameSync(join(directory, "sub"), join(directory, "old"));
    symlinkSync(outside, join(directory, "sub"));
    const content = { bytes: BYTES, mode: 0o644 };
    expect(await restore(path, content, current)).toEqual({ kind: "changed" });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("readFileState", () => {
  it("tells what is at a path without following links", async () => {
    const directory = await temporaryDirectory();
    const at = (name: string): string => join(directory, name);
    writeFileSync(at("file"), "x", { mode: 0o640 });
    mkdirSync(at("directory"));
    symlinkSync(at("file"), at("link"));
    symlinkSync(at("directory"), at("linked"));
    expect(await readFileState(at("file"))).toMatchObject({ kind: "file", bytes: 1, mode: 0o640 });
    expect(await readFileState(at("missing/x"))).toEqual({ kind: "absent" });
    const reasons = ["directory", "link", "linked/a", "file/a"].map(async (name) => {
      const state = await readFileState(at(name));
      return state.kind === "other" ? state.reason : state.kind;
    });
    expect(await Promise.all(reasons)).toEqual([
      "a directory now",
      "a symbolic link now",
      "behind a symbolic link now",
      "below a file that was a directory",
    ]);
  });
});

describe("the onChange of a workspace", () => {
  it("gets what is there before a tool changes a file, and is told once it is changed", async () => {
    const seen: unknown[] = [];
    const { call } = await workspaceTools({ "app/a.txt": "one" }, (home) => ({
      onChange: async ({ display, previous, next }: FileChange) => {
        const text = readFileSync(join(home, "app/a.txt"), "utf8");
        seen.push([display, previous?.bytes, next.bytes, text]);
        return async () => void seen.push(["done", existsSync(join(home, "app/new.txt"))]);
      },
    }));
    await call("Read", { file_path: "a.txt" });
    await call("Edit", { file_path: "a.txt", old_string: "one", new_string: "three" });
    await call("Write", { file_path: "new.txt", content: "" });
    await call("Edit", { file_path: "a.txt", old_string: "absent", new_string: "x" });
    expect(seen).toEqual([
      ["a.txt", 3, 5, "one"],
      ["done", false],
      ["new.txt", undefined, 0, "three"],
      ["done", true],
    ]);
  });
});
