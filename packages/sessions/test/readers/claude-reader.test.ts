import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/record/json-value.ts";
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

it("the Claude reader returns a conversation with a call and its result", () => {
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

describe("the Claude reader skips", () => {
  it.for<readonly [string, object]>([
    ["sub-agents", user("a", { isSidechain: true })],
    ["answers of sub-agents", assistant([{ type: "text", text: "a" }], { isSidechain: true })],
    ["copies", user("a", { forkedFrom: { sessionId: "other", messageUuid: "m" } })],
    ["meta messages", user("a", { isMeta: true })],
    ["summaries", user("a", { isCompactSummary: true })],
    ["messages that only the transcript shows", user("a", { isVisibleInTranscriptOnly: true })],
    ["messages that the user did not write", user("a", { origin: { kind: "task-notification" } })],
    ["system records", { ...BASE, type: "system", subtype: "compact_boundary", content: "a" }],
    ["progress", { ...BASE, type: "progress", data: { type: "hook_progress" } }],
    ["attachments", { ...BASE, type: "attachment", attachment: { type: "todo", content: "a" } }],
    ["images", user([{ type: "image", source: { type: "base64", data: "aaaa" } }])],
    ["errors that Claude Code writes", assistant("a", { isApiErrorMessage: true })],
    ["commands", user("<command-name>/clear</command-name>\n<command-args></command-args>")],
    ["the output of commands", user("<local-command-stdout>a</local-command-stdout>")],
    ["interruptions", user([{ type: "text", text: "[Request interrupted by user]" }])],
    ["empty answers", assistant([{ type: "text", text: "" }])],
  ])("the Claude reader skips %s", ([, record]) => {
    const { messages, facts } = read(record);
    expect(messages).toEqual([]);
    expect(Object.values(facts.skipped)).toEqual([0, 0, 0, 0]);
  });
});

describe("the Claude reader keeps", () => {
  it("the Claude reader keeps what the user typed while the agent was working", () => {
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

  it("the Claude reader keeps user text next to results and reminders, after the results", () => {
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
    ["followed by a reminder", "a\n<system-reminder>\nb\n</system-reminder>", "a\n"],
    ["markup", "<skill>a", "<skill>a"],
  ])("the Claude reader reads a result that is %s", ([, content, text]) => {
    const { messages } = read(user([{ type: "tool_result", tool_use_id: "t", content }]));
    expect(messages).toEqual([
      { role: "tool", results: [{ id: "t", name: "", text, isError: false }] },
    ]);
  });
});

describe("the Claude reader counts", () => {
  const deep = (levels: number): JsonObject => {
    let value: JsonObject = {};
    for (let level = 0; level < levels; level++) value = { value };
    return value;
  };
  it.for<readonly [string, unknown, string]>([
    ["records of an unknown type", { ...BASE, type: "dream", text: "a" }, "unknownRecords"],
    ["records without a type", {}, "unknownRecords"],
    ["a list", [1], "damagedLines"],
    ["a message without content", { ...BASE, type: "user", message: {} }, "damagedLines"],
    ["no message at all", { ...BASE, type: "assistant" }, "damagedLines"],
    ["unknown blocks of the user", user([{ type: "hologram" }]), "unknownParts"],
    ["unknown blocks of the model", assistant([{ type: "hologram" }]), "unknownParts"],
    ["an invalid block", assistant([7]), "unknownParts"],
    ["a call without a name", assistant([{ type: "tool_use", id: "a" }]), "unknownParts"],
    [
      "endlessly nested input",
      assistant([{ type: "tool_use", id: "a", name: "b", input: deep(300) }]),
      "unknownParts",
    ],
  ])("the Claude reader skips and counts %s", ([, record, counter]) => {
    const { messages, facts } = read(record, user("still read"));
    expect(messages).toEqual([{ role: "user", text: "still read" }]);
    expect(facts.skipped).toMatchObject({ [counter]: 1 });
    expect(Object.values(facts.skipped).reduce((sum, count) => sum + count)).toBe(1);
  });

  it("the Claude reader skips invalid lines and a truncated last line", () => {
    const line = JSON.stringify(user("a"));
    const { messages, facts } = readMessages(`\0\0\n${line}\n\n${line.slice(0, -3)}`, "claude");
    expect(messages).toEqual([{ role: "user", text: "a" }]);
    expect(facts.skipped.damagedLines).toBe(2);
  });
});
