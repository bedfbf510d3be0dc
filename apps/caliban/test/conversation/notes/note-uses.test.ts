import type { FinishedToolCall } from "@caliban/agent-core";
import type { Note } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { createNoteUses } from "../../../src/conversation/notes/note-uses.ts";

const DEPLOY = "memory://topics/deploy";
const note: Note = {
  text: "Deploy with pnpm ship, never npm publish.",
  source: { kind: "topic", slug: "deploy", address: DEPLOY, atMs: 0 },
  why: { match: "words", score: 1, terms: [] },
};

function call(
  name: string,
  input: unknown,
  given: Partial<FinishedToolCall> = {},
): FinishedToolCall {
  const run = async (): Promise<{ readonly text: string }> => ({ text: "" });
  const tool = { name, description: "", permission: "a.b", isReadOnly: true, inputSchema: {}, run };
  return { tool, call: { name, input }, subject: undefined, result: { text: "" }, ...given };
}

function kinds(...steps: readonly (FinishedToolCall | Note)[]): readonly string[] {
  const uses = createNoteUses(() => 1);
  for (const step of steps) {
    if ("tool" in step) uses.onCall(step);
    else uses.onShown(step);
  }
  return uses.take().map(({ address, kind, atMs }) => `${kind} ${address} ${atMs}`);
}

describe("the uses of memory in a session", () => {
  it("tells whether the commands after a note followed it", () => {
    const ship = call("Bash", { command: "pnpm ship" });
    const publish = call("Bash", { command: "npm publish" });
    expect(kinds(publish, note, ship)).toEqual([`shown ${DEPLOY} 1`, `followed ${DEPLOY} 1`]);
    expect(kinds(note, publish)).toEqual([`shown ${DEPLOY} 1`, `ignored ${DEPLOY} 1`]);
    expect(kinds(ship, note, call("Read", {}))).toEqual([`shown ${DEPLOY} 1`]);
  });

  it("counts edits and new files, but not those that failed", () => {
    const pool = { ...note, text: "The pool has 20 connections." };
    const edit = call("Edit", { old_string: "max: 10", new_string: "max: 20" });
    expect(kinds(pool, edit)).toContain(`followed ${DEPLOY} 1`);
    expect(kinds(pool, call("Write", { content: "max: 20" }))).toContain(`followed ${DEPLOY} 1`);
    const failed = { ...edit, result: { text: "", isError: true } };
    expect(kinds(pool, failed)).toEqual([`shown ${DEPLOY} 1`]);
  });

  it("decides about a note once, also when that takes several turns", () => {
    const uses = createNoteUses(() => 1);
    uses.onShown(note);
    expect(uses.take()).toHaveLength(1);
    uses.onCall(call("Bash", { command: "pnpm ship" }));
    expect(uses.take()).toMatchObject([{ kind: "followed" }]);
    uses.onCall(call("Bash", { command: "npm publish" }));
    expect(uses.take()).toEqual([]);
  });

  it("counts what the agent reads and finds itself", () => {
    const data = { topics: [{ address: DEPLOY }, { address: 7 }] };
    expect(
      kinds(
        call("ReadMemoryTopic", {}, { result: { text: "", data: { slug: "deploy" } } }),
        call(
          "ReadMemoryTopic",
          { scope: "user" },
          { result: { text: "", data: { slug: "tabs" } } },
        ),
        call("Read", {}, { subject: "memory://root/MEMORY.md" }),
        call("MemorySearch", {}, { result: { text: "", data } }),
        call("MemorySearch", {}, { result: { text: "", isError: true, data } }),
      ),
    ).toEqual([
      `read ${DEPLOY} 1`,
      "read memory://user/topics/tabs 1",
      "read memory://root/MEMORY.md 1",
      `found ${DEPLOY} 1`,
    ]);
  });

  it("stays small in a long session", () => {
    const uses = createNoteUses(() => 1);
    uses.onShown(note);
    for (let at = 0; at < 1_000; at++) uses.onCall(call("Bash", { command: `ls ${at}` }));
    uses.onShown({ ...note, source: { ...note.source, address: "memory://topics/other" } });
    uses.onCall(call("Bash", { command: "pnpm ship" }));
    expect(uses.take().filter(({ kind }) => kind === "followed")).toHaveLength(2);
  });

  it("stops following a note when another conversation continues", () => {
    const uses = createNoteUses(() => 1);
    uses.onShown(note);
    uses.restart();
    uses.onCall(call("Bash", { command: "npm publish" }));
    expect(uses.take().map(({ kind }) => kind)).toEqual(["shown"]);
  });
});
