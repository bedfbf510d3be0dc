import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import {
  type AgentSession,
  openAgentSession,
} from "../../../src/agent-hooks/session/agent-session.ts";

const NOTE = "memory://topics/deploy";

async function twoProcesses(id = "one"): Promise<{
  readonly sessions: string;
  readonly first: AgentSession;
  readonly second: AgentSession;
}> {
  const sessions = join(await temporaryDirectory(), "sessions");
  const open = (nowMs: number): AgentSession =>
    openAgentSession({ sessions, agent: "claude", id, nowMs });
  return { sessions, first: open(1), second: open(2) };
}

it("lets one process of a conversation show a memory, until the conversation is summarized", async () => {
  const { first, second } = await twoProcesses();
  expect([first.claim(NOTE), second.claim(NOTE)]).toEqual([true, false]);
  expect(second.has(NOTE)).toBe(true);
  second.forget();
  expect([first.has(NOTE), first.claim(NOTE)]).toEqual([false, true]);
});

it("keeps the same nonce and start in every process of a conversation, and others in another one", async () => {
  const { sessions, first, second } = await twoProcesses();
  expect([second.nonce, second.startedMs]).toEqual([first.nonce, 1]);
  const other = openAgentSession({ sessions, agent: "codex", id: "one", nowMs: 3 });
  expect(other.nonce).not.toBe(first.nonce);
});

it("hands the last message from one process to the next", async () => {
  const { first, second } = await twoProcesses();
  expect(second.lastMessage()).toEqual({ text: "", isPending: false });
  first.setLastMessage({ text: "deploy", isPending: true });
  expect(second.lastMessage()).toEqual({ text: "deploy", isPending: true });
});

it.for(["../../etc", "a/b", "C:\\x", "..", "ü".repeat(500), "\u0000"])(
  "keeps everything in its directory, for a conversation named %j",
  async (id) => {
    const { sessions, first, second } = await twoProcesses(id);
    expect([first.claim(id), second.claim(id)]).toEqual([true, false]);
    expect(readdirSync(join(sessions, ".."))).toEqual(["sessions"]);
    expect(readdirSync(sessions)).toHaveLength(1);
  },
);

it("writes files that only the user can read, and leaves no temporary ones", async () => {
  const { sessions, first } = await twoProcesses();
  first.setLastMessage({ text: "x", isPending: false });
  first.claim(NOTE);
  const names = readdirSync(sessions, { recursive: true, encoding: "utf8" });
  expect(names.filter((name) => name.endsWith(".tmp"))).toEqual([]);
  for (const name of names) {
    const stats = statSync(join(sessions, name));
    expect(stats.mode & 0o777).toBe(stats.isDirectory() ? 0o700 : 0o600);
  }
});

it("starts again with a damaged file", async () => {
  const { sessions } = await twoProcesses();
  writeFileSync(join(sessions, "claude-one", "session.json"), '{"nonce":"<x>"}');
  const session = openAgentSession({ sessions, agent: "claude", id: "one", nowMs: 5 });
  expect(session.nonce).toMatch(/^[\da-f]{8}$/);
  expect(session.startedMs).toBe(5);
});
