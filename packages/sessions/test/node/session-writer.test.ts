import { existsSync, readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { replay } from "../../src/replay.ts";
import { parseSessionId } from "../../src/session-id.ts";
import { createSessionWriter } from "../../src/node/create-session-writer.ts";
import { readSession } from "../../src/node/read-session.ts";

const ID = parseSessionId("20261116-171045-k3f9");
const FACTS = { workspace: "/app", cwd: "/app/src", model: "offline/rehearsal", version: "1.2.3" };
const NOW = Date.parse("2026-11-16T17:10:45Z");

describe("a new session", () => {
  it("has no file before a person speaks, and then everything that was appended", async () => {
    const directory = join(await temporaryDirectory(), "sessions");
    const writer = createSessionWriter({
      id: ID,
      directory: async () => directory,
      facts: FACTS,
      now: () => NOW,
      onFailure: (sentence) => expect.fail(sentence),
    });
    writer.append({ type: "model", model: "a/b" });
    expect(existsSync(directory)).toBe(false);
    await writer.open();
    expect(await readdir(directory)).toEqual([`${ID}.jsonl.lock`]);
    writer.append({ type: "message", message: { role: "user", text: "Hello  there" } });
    expect(writer.isSaved()).toBe(true);
    writer.append({ type: "turn-end", outcome: "done" });
    const lines = readFileSync(join(directory, `${ID}.jsonl`), "utf8").split("\n");
    expect(lines).toHaveLength(5);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, `${ID}.jsonl`))).mode & 0o777).toBe(0o600);
    await writer.close();
    expect(await readdir(directory)).toEqual([`${ID}.jsonl`]);
    const session = replay(await readSession(directory, ID));
    expect(session).toMatchObject({
      start: { v: 1, id: ID, title: "Hello there", ...FACTS },
      model: "a/b",
      messages: [{ role: "user", text: "Hello  there" }],
      diagnostics: [],
    });
  });
});
