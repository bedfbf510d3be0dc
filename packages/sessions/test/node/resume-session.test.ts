import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { RUNTIME } from "../../../../test/support/runtime.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { sessionNamed } from "../../src/node/find-session.ts";
import { readSession } from "../../src/node/read-session.ts";
import { type ResumedSession, resumeSession } from "../../src/node/resume-session.ts";
import { renderRecord, type SessionRecord } from "../../src/record/record.ts";
import { replay } from "../../src/transcript/replay.ts";
import { parseSessionId } from "../../src/identity/session-id.ts";
import { start } from "../record/arbitrary-records.ts";

const ID = parseSessionId("20261116-171045-k3f9");
const OTHER = parseSessionId("20261116-171046-aaaa");
const WRITER = join(import.meta.dirname, "write-session.process.ts");
const FACTS = { workspace: "/app", cwd: "/here", model: "e/f", version: "2.0.0" };
const SLOW = { timeout: 30_000 };
const ROUNDS = process.env["FULL"] === "1" ? 20 : 3;
const AT = "2026-11-16T17:10:45.000Z";

const userMessage = (text: string) =>
  ({ type: "message", message: { role: "user", text } }) as const;
const stored = (text: string, id: string): SessionRecord => ({ ...userMessage(text), id, at: AT });

async function resume(
  directory: string,
  more: { readonly learn?: false } = {},
): Promise<ResumedSession & { readonly failures: string[] }> {
  const failures: string[] = [];
  const session = await resumeSession({
    directory,
    id: ID,
    facts: { ...FACTS, ...more },
    createId: () => OTHER,
    now: () => Date.parse(AT),
    onFailure: (message) => failures.push(message),
  });
  onTestFinished(() => session.writer.close());
  return { ...session, failures };
}

async function withFile(
  text: string,
): Promise<{ readonly directory: string; readonly path: string }> {
  const directory = await temporaryDirectory();
  const path = join(directory, `${ID}.jsonl`);
  writeFileSync(path, text, { mode: 0o600 });
  return { directory, path };
}

const EXISTING = [start(), stored("a", "m1"), stored("b", "m2")].map(renderRecord).join("");

describe("resumeSession", () => {
  it("resumeSession returns the messages and appends at the end", async () => {
    const { directory, path } = await withFile(EXISTING);
    const { writer, messages, newFileReason } = await resume(directory);
    expect(messages).toEqual([userMessage("a").message, userMessage("b").message]);
    expect([newFileReason, writer.id]).toEqual([undefined, ID]);
    await writer.open();
    expect(await readFile(path, "utf8")).toBe(EXISTING);
    writer.append(userMessage("c"));
    expect((await readFile(path, "utf8")).slice(EXISTING.length)).toBe(
      renderRecord({ type: "resumed", at: AT, cwd: "/here", model: "e/f", version: "2.0.0" }) +
        renderRecord({ type: "message", id: "m3", at: AT, message: userMessage("c").message }),
    );
    await writer.close();
    expect(await readdir(directory)).toEqual([`${ID}.jsonl`]);
  });

  it("resumeSession continues to count the messages of the user only", async () => {
    const { directory, path } = await withFile(EXISTING);
    const { writer } = await resume(directory);
    await writer.open();
    writer.append(userMessage("c"));
    writer.append({ type: "message", message: { role: "assistant", model: "e/f", parts: [] } });
    writer.append({ type: "turn-end", outcome: "done" });
    expect(await readFile(path, "utf8")).toMatch(/"exchanges":3}\n$/);
  });

  it("resumeSession excludes the whole session from learning when one process opted out", async () => {
    const { directory, path } = await withFile(EXISTING);
    const { writer, learn } = await resume(directory, { learn: false });
    expect(learn).toBe(true);
    await writer.open();
    writer.append(userMessage("c"));
    await writer.close();
    expect(await readFile(path, "utf8")).toContain('"version":"2.0.0","learn":false}\n');
    const again = await resume(directory);
    expect(again.learn).toBe(false);
  });

  it("resumeSession keeps the opt-out and the number of copied messages in a new file", async () => {
    const first = renderRecord({ ...start(), v: 2, learn: false });
    const { directory } = await withFile(first + renderRecord(stored("a", "m1")));
    const { writer, newFileReason } = await resume(directory);
    expect(newFileReason).toBe("newer-format");
    await writer.open();
    writer.append(userMessage("c"));
    const { start: second } = replay(await readSession(directory, OTHER));
    expect(second).toMatchObject({ continues: ID, carried: 1, learn: false });
  });

  it("resumeSession loses nothing wherever the file was truncated", async () => {
    for (let length = EXISTING.length - 60; length <= EXISTING.length; length++) {
      const { directory } = await withFile(EXISTING.slice(0, length));
      const before = await resume(directory);
      await before.writer.open();
      before.writer.append(userMessage("c"));
      await before.writer.close();
      const { messages, diagnostics } = replay(await readSession(directory, ID));
      expect(messages).toEqual([...before.messages, userMessage("c").message]);
      expect(diagnostics.length).toBe(before.diagnostics.length);
    }
  });

  it("resumeSession rejects a missing session, a link and a directory", async () => {
    const directory = await temporaryDirectory();
    await expect(resume(directory)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(resume(join(directory, "none"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await readdir(directory)).toEqual([]);
    const { path } = await withFile(EXISTING);
    await symlink(path, join(directory, `${ID}.jsonl`));
    await expect(resume(directory)).rejects.toMatchObject({ code: "UNREADABLE" });
    expect(await readdir(directory)).toEqual([`${ID}.jsonl`]);
    const another = await temporaryDirectory();
    await mkdir(join(another, `${ID}.jsonl`));
    await expect(resume(another)).rejects.toMatchObject({ code: "UNREADABLE" });
  });

  it("resumeSession does not write through a link that replaced the file", async () => {
    const { directory, path } = await withFile(EXISTING);
    const victim = join(directory, "victim");
    writeFileSync(victim, "mine");
    const { writer, failures } = await resume(directory);
    await writer.open();
    await rm(path);
    await symlink(victim, path);
    writer.append(userMessage("c"));
    expect(failures).toEqual([expect.stringContaining("symbolic link")]);
    expect(readFileSync(victim, "utf8")).toBe("mine");
  });

  it("resumeSession continues in a new file when a newer version wrote the session", async () => {
    const newer = EXISTING.replace('"v":1', '"v":2');
    const { directory, path } = await withFile(newer);
    const { writer, newFileReason } = await resume(directory);
    expect(newFileReason).toBe("newer-format");
    await writer.open();
    writer.append(userMessage("c"));
    expect(await readFile(path, "utf8")).toBe(newer);
    const { start: first, messages } = replay(await readSession(directory, OTHER));
    expect(first).toMatchObject({ id: OTHER, continues: ID, title: "c", v: 1 });
    expect(messages.map((message) => Reflect.get(message, "text"))).toEqual(["a", "b", "c"]);
  });

  it("resumeSession does not copy the name to a new file", async () => {
    const named = renderRecord({ ...start(), v: 2, name: "release" });
    const { directory } = await withFile(named + renderRecord(stored("a", "m1")));
    const { writer, name } = await resume(directory);
    expect(name).toBe("release");
    await writer.open();
    writer.append(userMessage("c"));
    writer.append({ type: "turn-end", outcome: "done" });
    await writer.close();
    expect(replay(await readSession(directory, OTHER)).name).toBeUndefined();
    expect(sessionNamed(directory, "release")).toBe(ID);
  });
});

describe("two processes", () => {
  it(
    "two processes never write into one session: the second continues in a new file",
    SLOW,
    async () => {
      const directory = await temporaryDirectory();
      const first = child([directory, ID, "new", "3"]);
      await first.wrote(3);
      const { writer, messages, newFileReason } = await resume(directory);
      expect([newFileReason, messages.length]).toEqual(["in-use", 3]);
      await writer.open();
      writer.append(userMessage("mine"));
      const theirs = replay(await readSession(directory, ID));
      expect(theirs.messages).toHaveLength(3);
      const mine = replay(await readSession(directory, OTHER));
      expect(mine.start).toMatchObject({ continues: ID });
      expect(mine.messages).toEqual([...messages, userMessage("mine").message]);
      expect(mine.messageCount).toBe(4);

      first.process.kill("SIGKILL");
      await once(first.process, "exit");
      const again = await resume(directory);
      expect(again.newFileReason).toBeUndefined();
    },
  );

  it("a killed process loses at most the record that it was writing", SLOW, async () => {
    const directory = await temporaryDirectory();
    let known = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const {
        process: writing,
        wrote,
        last,
      } = child([directory, ID, round === 0 ? "new" : "resume"]);
      await wrote(known + 1);
      await delay(Math.random() * 15);
      writing.kill("SIGKILL");
      await once(writing, "close");
      const { messages, diagnostics } = replay(await readSession(directory, ID));
      const numbers = messages.map((message) => Number.parseInt(Reflect.get(message, "text"), 10));
      expect(numbers).toEqual(Array.from(numbers, (_, index) => index + 1));
      expect(numbers.length).toBeGreaterThanOrEqual(last());
      expect(numbers.length).toBeLessThanOrEqual(last() + 1);
      // One line for each kill in the middle of a write.
      expect(diagnostics.length).toBeLessThanOrEqual(round + 1);
      known = numbers.length;
      await appendFile(join(directory, `${ID}.jsonl`), '{"type":"message","id":"m');
    }
  });
});

describe("a full disk", () => {
  it(
    "a full disk loses one record, and the session continues when there is space",
    SLOW,
    async () => {
      const directory = await temporaryDirectory();
      // A file size limit interrupts a write, as a full disk does.
      const node = `exec "${RUNTIME}" --conditions=caliban:source "${WRITER}"`;
      const shell = ["-c", `ulimit -f 200; ${node} "${directory}" ${ID} new 30`];
      const full = spawn("sh", shell, { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void full.kill("SIGKILL"));
      let output = "";
      full.stdout.on("data", (data) => void (output += String(data)));
      while (!output.includes("\n30\n")) await delay(5);
      full.kill("SIGKILL");
      await once(full, "exit");
      expect(output.match(/is not being saved/g)).toHaveLength(1);

      const { writer, messages, diagnostics } = await resume(directory);
      expect(messages.length).toBeGreaterThan(1);
      expect(diagnostics.map(({ code }) => code)).toContain("TORN_LINE");
      await writer.open();
      writer.append(userMessage("again"));
      const after = replay(await readSession(directory, ID));
      expect(after.messages).toEqual([...messages, userMessage("again").message]);
    },
  );
});

interface Child {
  readonly process: ChildProcess;
  readonly wrote: (number: number) => Promise<void>;
  readonly last: () => number;
}

function child(args: readonly string[]): Child {
  const writing = spawn(RUNTIME, ["--conditions=caliban:source", WRITER, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void writing.kill("SIGKILL"));
  let output = "";
  writing.stdout.on("data", (data) => void (output += String(data)));
  const last = (): number => Number(output.slice(0, output.lastIndexOf("\n")).split("\n").at(-1));
  const wrote = async (number: number): Promise<void> => {
    while (last() < number) await delay(2);
  };
  return { process: writing, wrote, last };
}
