import { ftruncateSync, openSync, writeSync, closeSync, utimesSync, writeFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { findSession, latestSession, sessionNamed } from "../../src/node/find-session.ts";
import { listSessions } from "../../src/node/list-sessions.ts";
import { removeSession } from "../../src/node/remove-session.ts";
import { renderRecord, type SessionRecord } from "../../src/record/record.ts";
import { parseSessionId, type SessionId } from "../../src/identity/session-id.ts";
import { start } from "../record/arbitrary-records.ts";

const AT = "2026-11-16T17:10:45.000Z";
const idOf = (number: number): SessionId =>
  parseSessionId(`20261116-${String(number).padStart(6, "0")}-aaaa`);
const said = (text: string, id = "m1"): SessionRecord => ({
  type: "message",
  id,
  at: AT,
  message: { role: "user", text },
});

function write(directory: string, number: number, records: readonly SessionRecord[]): string {
  const path = join(directory, `${idOf(number)}.jsonl`);
  writeFileSync(path, records.map(renderRecord).join(""));
  utimesSync(path, 1_000 + number, 1_000 + number);
  return path;
}

describe("listSessions", () => {
  it("listSessions lists the newest first, with facts from the beginning and the end of each file", async () => {
    const directory = await temporaryDirectory();
    write(directory, 1, [
      { ...start(), title: undefined },
      said("first words", "m1"),
      said("b", "m2"),
    ]);
    write(directory, 2, [start(), { type: "name", at: AT, name: "named" }]);
    writeFileSync(join(directory, `${idOf(2)}.jsonl.lock`), "");
    writeFileSync(join(directory, "notes.txt"), "");
    const { sessions, omitted, diagnostics } = listSessions(directory);
    expect(sessions).toMatchObject([
      { id: idOf(2), name: "named", title: "é", model: "a/b", messageCount: undefined },
      { id: idOf(1), name: undefined, title: "first words", messageCount: 2, updatedMs: 1_001_000 },
    ]);
    expect([omitted, diagnostics]).toEqual([0, []]);
  });

  it("listSessions counts the messages of the user, starting at the end of a long file", async () => {
    const directory = await temporaryDirectory();
    const turnEnd = (exchanges?: number): SessionRecord => ({
      type: "turn-end",
      at: AT,
      outcome: "done",
      exchanges,
    });
    const answer = (id: string, text: string): SessionRecord => ({
      type: "message",
      id,
      at: AT,
      message: { role: "assistant", model: "a/b", parts: [{ type: "text", text }] },
    });
    const long = answer("m2", "x".repeat(40_000));
    write(directory, 1, [start(), said("a"), answer("m2", "b"), said("c", "m3")]);
    write(directory, 2, [start(), said("a"), long, turnEnd(7), said("z", "m30")]);
    write(directory, 3, [start(), said("a"), long, turnEnd(), said("z", "m30")]);
    // Both ends contain what is in the middle.
    const [short, rest] = [answer("m2", "x".repeat(3_000)), answer("m4", "x".repeat(14_000))];
    write(directory, 4, [start(), turnEnd(1), short, said("y", "m3"), rest]);
    const counts = listSessions(directory).sessions.map(({ exchangeCount }) => exchangeCount);
    expect(counts).toEqual([2, undefined, 8, 2]);
  });

  it("listSessions returns an empty list when the directory is missing", async () => {
    const directory = join(await temporaryDirectory(), "none");
    expect(listSessions(directory)).toEqual({ sessions: [], omitted: 0, diagnostics: [] });
    expect(latestSession(directory, "/app")).toBeUndefined();
  });

  it("listSessions reads only the two ends of a file", async () => {
    const directory = await temporaryDirectory();
    const path = write(directory, 1, [start(), said("a")]);
    const descriptor = openSync(path, "a");
    // Too large to read as a whole.
    ftruncateSync(descriptor, 8 * 1024 ** 3);
    const end: readonly SessionRecord[] = [
      said("z", "m900"),
      { type: "turn-end", at: AT, outcome: "done", name: "late" },
    ];
    writeSync(descriptor, `\n${end.map(renderRecord).join("")}`);
    closeSync(descriptor);
    expect(listSessions(directory).sessions).toMatchObject([
      { name: "late", title: "é", messageCount: 900 },
    ]);
  });

  it("listSessions opens only the listed files, and an unreadable one never affects the others", async () => {
    const directory = await temporaryDirectory();
    // Each one would be reported if it were opened.
    for (let number = 0; number < 1_000; number++) {
      await symlink("nowhere", join(directory, `${idOf(number)}.jsonl`));
    }
    const { sessions, omitted, diagnostics } = listSessions(directory, { limit: 7 });
    expect([sessions.length, omitted, diagnostics.length]).toEqual([0, 993, 7]);
    expect(diagnostics[0]).toMatchObject({ code: "FILE_UNREADABLE" });
    const elsewhere = await temporaryDirectory();
    write(elsewhere, 1, [start()]);
    await symlink(join(elsewhere, `${idOf(1)}.jsonl`), join(elsewhere, `${idOf(2)}.jsonl`));
    writeFileSync(join(elsewhere, `${idOf(3)}.jsonl`), "\0".repeat(100));
    const mixed = listSessions(elsewhere);
    expect(mixed.sessions.map(({ id, title }) => [id, title])).toEqual([
      [idOf(3), undefined],
      [idOf(1), "é"],
    ]);
    expect(mixed.diagnostics[0]?.message).toContain("it is a symbolic link");
  });
});

describe("findSession", () => {
  it("findSession finds a session by id, by a part of an id and by name, or throws", async () => {
    const directory = await temporaryDirectory();
    write(directory, 1, [{ ...start(), name: "Café" }]);
    write(directory, 2, [{ ...start(), name: "Café" }]);
    write(directory, 30, [{ ...start(), name: idOf(1) }]);
    expect(findSession(directory, idOf(1))).toBe(idOf(1));
    expect(findSession(directory, "20261116-00003")).toBe(idOf(30));
    // Only the end differs between the conversations of a day.
    expect(findSession(directory, "0002-aa")).toBe(idOf(2));
    expect(findSession(directory, " Cafe\u0301 ")).toBe(idOf(2));
    expect(sessionNamed(directory, "Café")).toBe(idOf(2));
    expect(sessionNamed(directory, "20261116-00003")).toBeUndefined();
    for (const [wanted, code] of [
      ["20261116", "AMBIGUOUS"],
      ["", "NOT_FOUND"],
      ["../secret", "NOT_FOUND"],
      ["café", "NOT_FOUND"],
    ] as const) {
      expect(() => findSession(directory, wanted)).toThrow(expect.objectContaining({ code }));
    }
  });

  it("latestSession ignores sessions of another worktree and unreadable files", async () => {
    const directory = await temporaryDirectory();
    const worktree = await temporaryDirectory();
    write(directory, 1, [{ ...start(), workspace: "/app" }]);
    write(directory, 2, [{ ...start(), workspace: "/moved/from/here" }]);
    write(directory, 3, [{ ...start(), workspace: worktree }]);
    await symlink("nowhere", join(directory, `${idOf(4)}.jsonl`));
    expect(latestSession(directory, worktree)).toBe(idOf(3));
    expect(latestSession(directory, "/app")).toBe(idOf(2));
    write(directory, 5, [{ ...start(), workspace: "/app" }]);
    expect(latestSession(directory, "/app")).toBe(idOf(5));
  });

  it("removeSession removes a session permanently", async () => {
    const directory = await temporaryDirectory();
    write(directory, 1, [start()]);
    await removeSession(directory, idOf(1));
    expect(listSessions(directory).sessions).toEqual([]);
    await expect(removeSession(directory, idOf(1))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
