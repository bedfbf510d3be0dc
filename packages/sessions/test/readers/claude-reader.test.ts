import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json-value.ts";
import { readMessages, type ReadTranscript } from "../../src/readers/transcript-reader.ts";

const BASE = {
  sessionId: "3f1c2a50-0000-4000-8000-000000000001",
  cwd: "/home/me/app",
  timestamp: "2026-11-16T17:10:45.000Z",
  isSidechain: false,
  version: "2.1.0",
};

const user = (content: unknown, more: object = {}): object => ({
  ...BASE,
  type: "user",
  message: { role: "user", content },
  ...more,
});
const assistant = (content: unknown, more: object = {}): object => ({
  ...BASE,
  type: "assistant",
  message: { role: "assistant", model: "claude-x", content, usage: { input_tokens: 9 } },
  ...more,
});

function read(...records: readonly unknown[]): ReadTranscript {
  return readMessages(records.map((record) => JSON.stringify(record)).join("\n"), "claude");
}

it("reads a conversation with a call and its result", () => {
  const { messages, facts } = read(
    { type: "file-history-snapshot", messageId: "x", snapshot: {} },
    { type: "summary", summary: "Deploying", leafUuid: "x" },
    user("How do we deploy?"),
    assistant([{ type: "thinking", thinking: "hm", signature: "s" }]),
    assistant([{ type: "text", text: "I look." }]),
    assistant([{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }]),
    user([{ type: "tool_result", tool_use_id: "t1", content: "ship.sh", is_error: false }], {
      toolUseResult: { stdout: "ship.sh" },
    }),
    assistant([{ type: "text", text: "With ship.sh." }]),
  );
  const model = "anthropic/claude-x";
  expect(messages).toEqual([
    { role: "user", text: "How do we deploy?" },
    { role: "assistant", model, parts: [{ type: "text", text: "I look." }] },
    {
      role: "assistant",
      model,
      parts: [{ type: "tool-call", id: "t1", name: "Bash", input: { command: "ls" } }],
    },
    { role: "tool", results: [{ id: "t1", name: "Bash", text: "ship.sh", isError: false }] },
    { role: "assistant", model, parts: [{ type: "text", text: "With ship.sh." }] },
  ]);
  expect(facts).toEqual({
    sessionId: BASE.sessionId,
    cwd: "/home/me/app",
    startedAt: BASE.timestamp,
    optedOut: false,
    isSubAgent: false,
    skipped: { damagedLines: 0, longLines: 0, unknownRecords: 0, unknownParts: 0 },
  });
});

describe("leaves out", () => {
  it.for<readonly [string, object]>([
    ["sub-agents", user("a", { isSidechain: true })],
    ["what sub-agents answer", assistant([{ type: "text", text: "a" }], { isSidechain: true })],
    ["copies", user("a", { forkedFrom: { sessionId: "other", messageUuid: "m" } })],
    ["meta messages", user("a", { isMeta: true })],
    ["summaries of what was before", user("a", { isCompactSummary: true })],
    ["what only the transcript shows", user("a", { isVisibleInTranscriptOnly: true })],
    ["what no person says", user("a", { origin: { kind: "task-notification" } })],
    ["system records", { ...BASE, type: "system", subtype: "compact_boundary", content: "a" }],
    ["progress", { ...BASE, type: "progress", data: { type: "hook_progress" } }],
    ["attachments", { ...BASE, type: "attachment", attachment: { type: "todo", content: "a" } }],
    ["images", user([{ type: "image", source: { type: "base64", data: "aaaa" } }])],
    ["failures that Claude Code writes", assistant("a", { isApiErrorMessage: true })],
    ["commands", user("<command-name>/clear</command-name>\n<command-args></command-args>")],
    ["what a command printed", user("<local-command-stdout>a</local-command-stdout>")],
    ["interruptions", user([{ type: "text", text: "[Request interrupted by user]" }])],
    ["empty answers", assistant([{ type: "text", text: "" }])],
  ])("%s", ([, record]) => {
    const { messages, facts } = read(record);
    expect(messages).toEqual([]);
    expect(Object.values(facts.skipped)).toEqual([0, 0, 0, 0]);
  });
});

describe("keeps", () => {
  it("what a person typed while the agent was at work", () => {
    const queued = (more: object): object => ({
      ...BASE,
      type: "attachment",
      attachment: { type: "queued_command", prompt: "use pnpm", commandMode: "prompt", ...more },
    });
    expect(read(queued({}), queued({ prompt: [{ type: "text", text: "b" }] })).messages).toEqual([
      { role: "user", text: "use pnpm" },
      { role: "user", text: "b" },
    ]);
    expect(read(queued({ commandMode: "task-notification" })).messages).toEqual([]);
  });

  it("words that stand beside results and reminders, behind the results", () => {
    const { messages } = read(
      user([
        { type: "text", text: "<system-reminder>CLAUDE.md says …</system-reminder>" },
        { type: "text", text: "No, use pnpm." },
        { type: "tool_result", tool_use_id: "t9", content: "x", is_error: true },
      ]),
    );
    expect(messages).toEqual([
      { role: "tool", results: [{ id: "t9", name: "", text: "x", isError: true }] },
      { role: "user", text: "No, use pnpm." },
    ]);
  });

  it.for<readonly [string, unknown, string]>([
    ["text", "a", "a"],
    ["nothing", undefined, ""],
    [
      "blocks",
      [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }],
      "a\nb",
    ],
    ["a reminder behind it", "a\n<system-reminder>\nb\n</system-reminder>", "a\n"],
    ["markup", "<skill>a", "<skill>a"],
  ])("a result that is %s", ([, content, text]) => {
    const { messages } = read(user([{ type: "tool_result", tool_use_id: "t", content }]));
    expect(messages).toEqual([
      { role: "tool", results: [{ id: "t", name: "", text, isError: false }] },
    ]);
  });
});

describe("skips and counts", () => {
  const deep = (levels: number): JsonObject => {
    let value: JsonObject = {};
    for (let level = 0; level < levels; level++) value = { value };
    return value;
  };
  it.for<readonly [string, unknown, string]>([
    ["records of an unknown kind", { ...BASE, type: "dream", text: "a" }, "unknownRecords"],
    ["records without a kind", {}, "unknownRecords"],
    ["a list", [1], "damagedLines"],
    ["a message without content", { ...BASE, type: "user", message: {} }, "damagedLines"],
    ["no message at all", { ...BASE, type: "assistant" }, "damagedLines"],
    ["unknown blocks of a person", user([{ type: "hologram" }]), "unknownParts"],
    ["unknown blocks of a model", assistant([{ type: "hologram" }]), "unknownParts"],
    ["a block that is none", assistant([7]), "unknownParts"],
    ["a call without a name", assistant([{ type: "tool_use", id: "a" }]), "unknownParts"],
    [
      "input without end",
      assistant([{ type: "tool_use", id: "a", name: "b", input: deep(300) }]),
      "unknownParts",
    ],
  ])("%s", ([, record, counter]) => {
    const { messages, facts } = read(record, user("still read"));
    expect(messages).toEqual([{ role: "user", text: "still read" }]);
    expect(facts.skipped).toMatchObject({ [counter]: 1 });
    expect(Object.values(facts.skipped).reduce((sum, count) => sum + count)).toBe(1);
  });

  it("garbage and a torn last line", () => {
    const line = JSON.stringify(user("a"));
    const { messages, facts } = readMessages(`\0\0\n${line}\n\n${line.slice(0, -3)}`, "claude");
    expect(messages).toEqual([{ role: "user", text: "a" }]);
    expect(facts.skipped.damagedLines).toBe(2);
  });
});
