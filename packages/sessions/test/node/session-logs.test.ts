import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { parseSessionId } from "../../src/identity/session-id.ts";
import { readSession } from "../../src/node/read-session.ts";
import { createSessionLogs, type SessionLogs } from "../../src/node/session-logs.ts";

const FACTS = { workspace: "/app", cwd: "/app", version: "1.0.0" };
const HELLO = { type: "message", message: { role: "user", text: "Hello." } } as const;

async function logsIn(changes: { readonly isSaved?: boolean; readonly below?: string } = {}) {
  const { isSaved, below = "sessions" } = changes;
  const home = await temporaryDirectory();
  const directory = join(home, below);
  const notices: string[] = [];
  const notify = (message: string): void => void notices.push(message);
  const open = (): SessionLogs => createSessionLogs({ directory, facts: FACTS, isSaved, notify });
  return { home, directory, notices, logs: open(), open };
}

describe("createSessionLogs", () => {
  it("stores a session with its first message, and resumes it with all of them", async () => {
    const { directory, logs, notices } = await logsIn();
    const log = logs.begin("a/one", "mine");
    log.record({ type: "model", model: "a/two" });
    await log.ready();
    expect(existsSync(directory)).toBe(false);
    log.record(HELLO);
    await log.ready();
    expect(log.isSaved()).toBe(true);
    await log.close();
    expect(logs.find({ kind: "name", name: "mine" })).toBe(log.id);
    expect(logs.find({ kind: "latest" })).toBe(log.id);
    expect(logs.find({ kind: "new" })).toBeUndefined();
    const resumed = await logs.resume(log.id.slice(0, -1));
    expect([resumed.log.id, resumed.model]).toEqual([log.id, "a/two"]);
    expect(resumed.messages).toEqual([HELLO.message]);
    await resumed.log.close();
    expect(notices).toEqual([]);
  });

  it("continues in a copy when another process uses the session, and says so", async () => {
    const { logs, open, notices } = await logsIn();
    const log = logs.begin("a/one");
    log.record(HELLO);
    await log.ready();
    const copy = await open().resume(log.id);
    expect(copy.log.id).not.toBe(log.id);
    expect(copy.messages).toEqual([HELLO.message]);
    expect(notices).toEqual([expect.stringContaining("another process is using this session")]);
    await copy.log.close();
    await log.close();
  });

  it("stores nothing when sessions are not saved, and still resumes them", async () => {
    const { directory, logs } = await logsIn();
    const log = logs.begin("a/one");
    log.record(HELLO);
    await log.close();
    const files = readdirSync(directory);
    const unsaved = createSessionLogs({
      directory,
      facts: FACTS,
      isSaved: false,
      notify: () => undefined,
    });
    const { log: resumed, messages } = await unsaved.resume(log.id);
    for (const each of [resumed, unsaved.begin("a/one")]) {
      each.record(HELLO);
      await each.close();
      expect(each.isSaved()).toBe(false);
    }
    expect(messages).toEqual([HELLO.message]);
    expect(readdirSync(directory)).toEqual(files);
  });

  it("stores what matters of the events of a turn", async () => {
    const { directory, logs } = await logsIn();
    const log = logs.begin("a/one");
    for (const event of [
      HELLO,
      { type: "step-start" },
      { type: "notice", message: "Cut." },
      { type: "compacted", messages: [HELLO.message], beforeTokens: 9, afterTokens: 1 },
      { type: "turn-end", outcome: { kind: "done" } },
      { type: "turn-end", outcome: { kind: "refused", message: "No." } },
      { type: "turn-end", outcome: { kind: "failed", failure: { message: "Full." } } },
    ] as const)
      log.record(event);
    await log.close();
    const { records } = await readSession(directory, parseSessionId(log.id));
    expect(records.slice(1)).toMatchObject([
      HELLO,
      { type: "notice", sentence: "Cut." },
      { type: "compacted", messages: [HELLO.message], beforeTokens: 9, afterTokens: 1 },
      { type: "turn-end", outcome: "done" },
      { type: "turn-end", outcome: "refused", sentence: "No." },
      { type: "turn-end", outcome: "failed", sentence: "Full." },
    ]);
  });

  it("reports once that the disk refuses a session, and that it is not saved", async () => {
    const { home, logs, notices } = await logsIn({ below: "file/sessions" });
    await writeFile(join(home, "file"), "");
    const log = logs.begin("a/one");
    log.record(HELLO);
    await log.ready();
    log.record(HELLO);
    expect(log.isSaved()).toBe(false);
    expect(notices).toEqual([expect.stringContaining("is not being saved")]);
    await log.close();
  });

  it("stores a rewind at once, also in a session that was only resumed", async () => {
    const { logs, directory } = await logsIn();
    const log = logs.begin("a/one");
    log.record(HELLO);
    log.record({ type: "message", message: { role: "user", text: "More." } });
    await log.close();
    const { log: again } = await logs.resume(log.id);
    expect(
      again
        .timeline()
        .points()
        .map(({ id }) => id),
    ).toEqual(["m1", "m2"]);
    again.record({ type: "rewound", id: "r1", to: "m2", what: "both" });
    await again.ready();
    const { records } = await readSession(directory, parseSessionId(log.id));
    expect(records.slice(-2)).toMatchObject([
      { type: "resumed" },
      { type: "rewound", id: "r1", to: "m2", what: "both" },
    ]);
    await again.close();
    const { messages } = await logs.resume(log.id);
    expect(messages).toEqual([HELLO.message]);
  });

  it("knows the same points as the stored session", async () => {
    const { logs, open } = await logsIn();
    const log = logs.begin("a/one");
    log.record(HELLO);
    log.record({ type: "rewound", id: "r1", to: "m1", what: "both" });
    log.record(HELLO);
    await log.close();
    const { log: stored } = await open().resume(log.id);
    for (const part of ["points", "rewinds", "position"] as const)
      expect(stored.timeline()[part]()).toEqual(log.timeline()[part]());
    await stored.close();
  });

  it("gives a copy that was rewound before its first message the title of the conversation", async () => {
    const { logs, open, directory } = await logsIn();
    const log = logs.begin("a/one");
    log.record(HELLO);
    await log.ready();
    const { log: copy } = await open().resume(log.id);
    copy.record({ type: "rewound", id: "r1", to: "m1", what: "conversation" });
    await copy.close();
    const { records } = await readSession(directory, parseSessionId(copy.id));
    expect(records[0]).toMatchObject({ type: "session-start", title: "Hello." });
    await log.close();
  });
});
