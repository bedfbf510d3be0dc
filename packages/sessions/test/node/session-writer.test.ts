import { existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { mkdir, readdir, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import {
  createSessionWriter,
  type SessionWriterInput,
} from "../../src/node/create-session-writer.ts";
import { readSession, readTranscript } from "../../src/node/read-session.ts";
import { createWriter, type SessionWriter } from "../../src/node/session-writer.ts";
import { replay } from "../../src/transcript/replay.ts";
import { parseSessionId } from "../../src/identity/session-id.ts";

const ID = parseSessionId("20261116-171045-k3f9");
const FACTS = { workspace: "/app", cwd: "/app/src", model: "offline/rehearsal", version: "1.2.3" };
const NOW = Date.parse("2026-11-16T17:10:45Z");

interface Started {
  readonly writer: SessionWriter;
  readonly directory: string;
  readonly path: string;
  readonly failures: readonly string[];
}

async function started(more: Partial<SessionWriterInput> = {}): Promise<Started> {
  const directory = join(await temporaryDirectory(), "home", "sessions");
  const failures: string[] = [];
  const writer = createSessionWriter({
    id: ID,
    directory: async () => directory,
    facts: FACTS,
    now: () => NOW,
    onFailure: (message) => failures.push(message),
    ...more,
  });
  return { writer, directory, path: join(directory, `${ID}.jsonl`), failures };
}

const userMessage = (text: string) =>
  ({ type: "message", message: { role: "user", text } }) as const;
const lines = (path: string): readonly string[] =>
  readFileSync(path, "utf8").split("\n").slice(0, -1);

describe("a new session", () => {
  it("createSessionWriter creates the file with the first user message and writes everything appended before", async () => {
    const { writer, directory, path, failures } = await started();
    writer.append({ type: "model", model: "a/b" });
    await writer.open();
    expect(await readdir(directory)).toEqual([`${ID}.jsonl.lock`]);
    expect(writer.isSaved()).toBe(true);
    writer.append(userMessage("Hello  there"));
    expect(lines(path)).toHaveLength(3);
    writer.append({ type: "turn-end", outcome: "done" });
    expect(lines(path)).toEqual([
      `{"type":"session-start","v":1,"id":"${ID}","at":"2026-11-16T17:10:45.000Z","workspace":"/app","cwd":"/app/src","model":"offline/rehearsal","version":"1.2.3","title":"Hello there"}`,
      '{"type":"model","model":"a/b","at":"2026-11-16T17:10:45.000Z"}',
      '{"type":"message","id":"m1","at":"2026-11-16T17:10:45.000Z","message":{"role":"user","text":"Hello  there"}}',
      '{"type":"turn-end","outcome":"done","at":"2026-11-16T17:10:45.000Z","exchanges":1}',
    ]);
    await writer.close();
    expect(await readdir(directory)).toEqual([`${ID}.jsonl`]);
    const session = replay(await readSession(directory, ID));
    expect(session).toMatchObject({ model: "a/b", messages: [{ text: "Hello  there" }] });
    expect([session.diagnostics, failures]).toEqual([[], []]);
  });

  it("createSessionWriter leaves no file behind when the user says nothing", async () => {
    const { writer, directory } = await started();
    writer.append({ type: "notice", sentence: "Welcome." });
    await writer.close();
    expect(existsSync(directory)).toBe(false);
    const opened = await started();
    await opened.writer.open();
    await opened.writer.close();
    expect(await readdir(opened.directory)).toEqual([]);
  });

  it("createSessionWriter records in the first line that nothing may be learned", async () => {
    const { writer, directory, path } = await started({ facts: { ...FACTS, learn: false } });
    await writer.open();
    writer.append(userMessage("a"));
    await writer.close();
    expect(lines(path)[0]).toContain('"learn":false');
    const session = replay(await readSession(directory, ID));
    expect([session.start?.learn, session.learn]).toEqual([false, false]);
  });

  it("createSessionWriter creates files and directories for the owner only", async () => {
    const { writer, directory, path } = await started();
    await writer.open();
    writer.append(userMessage("a"));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, ".."))).mode & 0o777).toBe(0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(`${path}.lock`)).mode & 0o777).toBe(0o600);
    await writer.close();
  });

  it("createSessionWriter keeps messages that are appended before its directory is ready", async () => {
    const pending = Promise.withResolvers<string>();
    const { writer, directory, path } = await started({
      directory: async () => await pending.promise,
    });
    const opening = writer.open();
    writer.append(userMessage("a"));
    writer.append(userMessage("b"));
    expect(writer.isSaved()).toBe(false);
    pending.resolve(directory);
    await opening;
    expect(writer.isSaved()).toBe(true);
    expect(lines(path)).toHaveLength(3);
    await writer.close();
  });

  it("createSessionWriter writes everything when it is closed while it is opening", async () => {
    const { writer, directory, path } = await started();
    void writer.open();
    writer.append(userMessage("a"));
    await writer.close();
    expect(lines(path)).toHaveLength(2);
    writer.append(userMessage("after"));
    await writer.open();
    expect(lines(path)).toHaveLength(2);
    expect(await readdir(directory)).toEqual([`${ID}.jsonl`]);
  });

  it("createSessionWriter repeats the name at the end of each turn", async () => {
    const { writer, path } = await started({ facts: { ...FACTS, name: "first" } });
    await writer.open();
    writer.append(userMessage("a"));
    writer.append({ type: "name", name: "second" });
    writer.append({ type: "turn-end", outcome: "done" });
    expect(lines(path).at(-1)).toContain('"name":"second"');
    await writer.close();
  });

  it("createSessionWriter names a missing argument", () => {
    // @ts-expect-error -- a caller without types
    expect(() => createSessionWriter({ id: ID })).toThrow(
      'createSessionWriter: "directory" is required',
    );
  });
});

describe("a session writer on a failing disk", () => {
  it("a session writer reports the path that cannot be written", async () => {
    const path = "/home/me/sessions/x.jsonl";
    const denied = Object.assign(new Error("no"), { code: "EACCES", path });
    const { writer, failures } = await started({ directory: async () => Promise.reject(denied) });
    await writer.open();
    writer.append(userMessage("a"));
    expect(failures).toEqual([
      `session ${ID} is not being saved: ${path}: permission denied. Check the owner of the file and its directory.`,
    ]);
    await writer.close();
  });

  it("a session writer reports a failure only once and continues", async () => {
    const blocked = join(await temporaryDirectory(), "file");
    await writeFile(blocked, "");
    const { writer, failures } = await started({
      directory: async () => join(blocked, "sessions"),
    });
    await writer.open();
    writer.append(userMessage("a"));
    await writer.open();
    writer.append(userMessage("b"));
    expect(failures).toEqual([expect.stringContaining(`session ${ID} is not being saved: `)]);
    expect(writer.isSaved()).toBe(false);
    await writer.close();
  });

  it("a session writer never replaces a file or follows a link", async () => {
    for (const make of [
      (path: string) => writeFile(path, "theirs"),
      (path: string) => writeFile(path, ""),
      (path: string) => symlink("/dev/null", path),
      (path: string) => symlink("nowhere", path),
    ]) {
      const { writer, directory, path, failures } = await started();
      await mkdir(directory, { recursive: true });
      await make(path);
      await writer.open();
      writer.append(userMessage("a"));
      expect(failures).toHaveLength(1);
      expect(await readdir(directory)).toEqual([`${ID}.jsonl`, `${ID}.jsonl.lock`]);
      await writer.close();
    }
  });

  it("a session writer writes missing records once the disk works again", async () => {
    const { writer, directory, path, failures } = await started();
    await mkdir(directory, { recursive: true });
    await writer.open();
    await mkdir(path);
    writer.append(userMessage("a"));
    expect(failures).toHaveLength(1);
    await rmdir(path);
    writer.append(userMessage("b"));
    expect(writer.isSaved()).toBe(true);
    expect(lines(path)).toHaveLength(3);
    await writer.close();
  });

  it("a session writer ends a truncated line before it writes the record again", async () => {
    const path = join(await temporaryDirectory(), "a.jsonl");
    let room = 25;
    const write = (descriptor: number, bytes: Uint8Array, from: number): number => {
      if (room === 0) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
      const written = writeSync(descriptor, bytes, from, Math.min(room, bytes.length - from));
      room -= written;
      return written;
    };
    const failures: string[] = [];
    const writer = createWriter(
      {
        id: ID,
        prepare: async () => undefined,
        openFile: () => openSync(path, "a+"),
        preamble: () => [],
        write,
        release: async () => undefined,
        messageCount: 0,
        exchangeCount: 0,
        name: undefined,
      },
      { now: () => NOW, onFailure: (message) => failures.push(message) },
    );
    await writer.open();
    writer.append(userMessage("a"));
    writer.append(userMessage("b"));
    expect(failures).toEqual([
      `session ${ID} is not being saved: the disk is full. Free some space.`,
    ]);
    expect(readFileSync(path)).toHaveLength(25);
    // For the first record and half of the second.
    room = 150;
    writer.append(userMessage("c"));
    room = Infinity;
    writer.append(userMessage("d"));
    await writer.close();
    const { records, diagnostics } = await readTranscript(path);
    expect(records.map((record) => Reflect.get(record, "id"))).toEqual(["m1", "m2", "m3", "m4"]);
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ["NO_START", 1],
      ["DAMAGED_LINE", 1],
      ["DAMAGED_LINE", 3],
    ]);
  });

  it("a session writer refuses an id that another writer uses", async () => {
    const first = await started();
    await first.writer.open();
    const second = await started({ directory: async () => first.directory });
    await second.writer.open();
    second.writer.append(userMessage("a"));
    expect(second.failures).toEqual([expect.stringContaining("another process")]);
    await first.writer.close();
    await second.writer.close();
  });

  it("a session writer explains a full disk and throws for a bug", async () => {
    const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    const { writer, failures } = await started({ directory: () => Promise.reject(full) });
    await writer.open();
    expect(failures).toEqual([
      `session ${ID} is not being saved: the disk is full. Free some space.`,
    ]);
    const bug = await started({ directory: () => Promise.reject(new TypeError("bug")) });
    await expect(bug.writer.open()).rejects.toThrow("bug");
  });
});
