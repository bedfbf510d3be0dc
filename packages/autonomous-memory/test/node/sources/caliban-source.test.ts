import { execFileSync } from "node:child_process";
import { lstatSync, utimesSync, writeFileSync } from "node:fs";
import { chmod, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { renderRecord, type SessionRecord, type SessionStart } from "@caliban/sessions";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { calibanSource } from "../../../src/node/sources/caliban-source.ts";
import type { SourceFile } from "../../../src/transcript/session-source.ts";
import { collected } from "./collected.ts";

const ID = "20261116-171045-k3f9";
const OTHER = "20261116-171046-aaaa";
const AT = "2026-11-16T17:10:45.000Z";

const start = (more: Partial<SessionStart> = {}): SessionRecord => ({
  type: "session-start",
  v: 1,
  id: ID,
  at: AT,
  workspace: "/app",
  cwd: "/app",
  model: "a/b",
  version: "1.0.0",
  ...more,
});
const said = (text: string, id = "m1"): SessionRecord => ({
  type: "message",
  id,
  at: AT,
  message: { role: "user", text },
});

function write(directory: string, id: string, records: readonly SessionRecord[]): string {
  const path = join(directory, `${id}.jsonl`);
  writeFileSync(path, records.map(renderRecord).join(""));
  return path;
}

const file = (path: string): SourceFile => ({ path, mtimeMs: 0, size: 0 });

describe("calibanSource", () => {
  it("lists sessions with whole milliseconds, and nothing else in the directory", async () => {
    const directory = await temporaryDirectory();
    const path = write(directory, ID, [start(), said("a")]);
    writeFileSync(`${path}.lock`, "");
    writeFileSync(join(directory, "notes.jsonl"), "");
    utimesSync(path, 1_790_000_000.123_4, 1_790_000_000.123_6);
    const source = calibanSource({ directory });
    const { size } = lstatSync(path);
    const files = [{ path, mtimeMs: 1_790_000_000_124, size }];
    expect(await source.list()).toEqual({ files, isComplete: true, notices: [] });
    expect([source.name, source.forgetsRemoved]).toEqual(["caliban", true]);
  });

  it("identifies sessions by id, and recognizes opted-out ones", async () => {
    const directory = await temporaryDirectory();
    const source = calibanSource({ directory });
    const mine = write(directory, ID, [start(), said("a")]);
    const kept = write(directory, OTHER, [
      start(),
      said("x".repeat(100_000)),
      { type: "resumed", at: AT, cwd: "", model: "", version: "", learn: false },
      said("a", "m2"),
    ]);
    expect(await source.identify(file(mine))).toEqual({ kind: "session", id: ID });
    expect(await source.identify(file(kept))).toEqual({ kind: "opted-out", id: OTHER });
  });

  it("reads messages without those copied from another session", async () => {
    const directory = await temporaryDirectory();
    const records = [start({ continues: OTHER, carried: 1 }), said("copy"), said("new", "m2")];
    const path = write(directory, ID, records);
    const messages = await collected(calibanSource({ directory }).messages(file(path)));
    expect(messages).toEqual([{ role: "user", text: "new" }]);
  });

  it("lists nothing without a directory", async () => {
    const directory = join(await temporaryDirectory(), "none");
    const listing = await calibanSource({ directory }).list();
    expect(listing).toEqual({ files: [], isComplete: true, notices: [] });
  });
});

describe("calibanSource with unreadable files", () => {
  it("reports an unreadable directory as an incomplete listing", async () => {
    const directory = await temporaryDirectory();
    write(directory, ID, [start()]);
    await chmod(directory, 0o000);
    onTestFinished(() => chmod(directory, 0o700));
    const listing = await withoutPrivileges(() => calibanSource({ directory }).list());
    expect(listing).toMatchObject({ files: [], isComplete: false });
    expect(listing.notices).toMatchObject([{ code: "SOURCE_UNREADABLE", path: directory }]);
  });

  it("reports a directory without search permission as an incomplete listing", async () => {
    const directory = await temporaryDirectory();
    for (let count = 0; count < 9; count++)
      write(directory, `20261116-17104${count}-aaaa`, [start()]);
    await chmod(directory, 0o444);
    onTestFinished(() => chmod(directory, 0o700));
    const listing = await withoutPrivileges(() => calibanSource({ directory }).list());
    expect(listing).toMatchObject({ files: [], isComplete: false });
    expect(listing.notices).toHaveLength(6);
    expect(listing.notices.at(-1)?.message).toBe("4 more paths could not be read");
  });

  it("reports a file with the name of the directory as an incomplete listing", async () => {
    const directory = join(await temporaryDirectory(), "sessions");
    writeFileSync(directory, "");
    expect(await calibanSource({ directory }).list()).toMatchObject({ isComplete: false });
  });

  it("skips and reports links and pipes, and rejects them later", async () => {
    const directory = await temporaryDirectory();
    const real = write(directory, ID, [start()]);
    const link = join(directory, `${OTHER}.jsonl`);
    const pipe = join(directory, "20261116-171047-aaaa.jsonl");
    await symlink(real, link);
    execFileSync("mkfifo", [pipe]);
    const source = calibanSource({ directory });
    const { files, isComplete, notices } = await source.list();
    expect(files.map(({ path }) => path)).toEqual([real]);
    expect(isComplete).toBe(false);
    expect(notices.map(({ message }) => message).toSorted()).toEqual([
      `${link}: skipped because it is not a regular file`,
      `${pipe}: skipped because it is not a regular file`,
    ]);
    for (const path of [link, pipe]) {
      expect(await source.identify(file(path))).toMatchObject({ kind: "unreadable" });
      await expect(collected(source.messages(file(path)))).rejects.toThrow(basename(path));
    }
    const gone = await source.identify(file(join(directory, "gone.jsonl")));
    expect(gone).toMatchObject({ kind: "unreadable" });
  });

  it("lists an unreadable file without opening it, and reports it later", async () => {
    const directory = await temporaryDirectory();
    const path = write(directory, ID, [start()]);
    await chmod(directory, 0o755);
    await chmod(path, 0o000);
    const source = calibanSource({ directory });
    await withoutPrivileges(async () => {
      expect(await source.list()).toMatchObject({ isComplete: true, files: [{ path }] });
      expect(await source.identify(file(path))).toMatchObject({ kind: "unreadable" });
    });
  });
});
