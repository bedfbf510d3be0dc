import { describe, expect, it } from "vitest";
import { readMessages, type ReadTranscript } from "../../src/readers/transcript-reader.ts";

const AT = "2026-11-16T17:10:45.000Z";
const ID = "019a0000-0000-7000-8000-000000000001";

const line = (type: string, payload: unknown): object => ({ timestamp: AT, type, payload });
const item = (payload: object): object => line("response_item", payload);
const meta = (more: object = {}): object =>
  line("session_meta", { id: ID, timestamp: AT, cwd: "/home/me/app", source: "cli", ...more });
const user = (...texts: readonly string[]): object => ({
  type: "message",
  role: "user",
  content: texts.map((text) => ({ type: "input_text", text })),
});
const assistant = (text: string): object => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});
const call = (more: object = {}): object => ({
  type: "function_call",
  name: "shell",
  arguments: '{"command":["ls"]}',
  call_id: "c1",
  ...more,
});
const output = (value: unknown): object => ({
  type: "function_call_output",
  call_id: "c1",
  output: value,
});

function read(...records: readonly unknown[]): ReadTranscript {
  return readMessages(records.map((record) => JSON.stringify(record)).join("\n"), "codex");
}

it("the Codex reader returns a conversation once although its events repeat it", () => {
  const { messages, facts } = read(
    meta({ base_instructions: { text: "You are …" } }),
    item({ type: "message", role: "developer", content: [{ type: "input_text", text: "x" }] }),
    item(user("# AGENTS.md instructions for /home/me/app\n\n<INSTRUCTIONS>x</INSTRUCTIONS>")),
    item(user("<environment_context>\n  <cwd>/home/me/app</cwd>\n</environment_context>")),
    line("turn_context", { cwd: "/home/me/app", model: "gpt-x" }),
    item(user("How do we deploy?")),
    line("event_msg", { type: "user_message", message: "How do we deploy?" }),
    item({ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] }),
    line("event_msg", { type: "agent_reasoning", text: "hm" }),
    item(call()),
    item(output('{"output":"ship.sh\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}')),
    line("event_msg", { type: "token_count", info: {} }),
    item(assistant("With ship.sh.")),
    line("event_msg", { type: "agent_message", message: "With ship.sh." }),
    line("compacted", { message: "a summary", replacement_history: [user("How do we deploy?")] }),
  );
  const model = "openai/gpt-x";
  expect(messages).toEqual([
    { role: "user", text: "How do we deploy?" },
    {
      role: "assistant",
      model,
      parts: [{ type: "tool-call", id: "c1", name: "shell", input: { command: ["ls"] } }],
    },
    { role: "tool", results: [{ id: "c1", name: "shell", text: "ship.sh\n", isError: false }] },
    { role: "assistant", model, parts: [{ type: "text", text: "With ship.sh." }] },
  ]);
  expect(facts).toEqual({
    sessionId: ID,
    cwd: "/home/me/app",
    startedAt: AT,
    optedOut: false,
    isSubAgent: false,
    skipped: { damagedLines: 0, longLines: 0, unknownRecords: 0, unknownParts: 0 },
  });
});

describe("the Codex reader on older files", () => {
  it.for([
    "<environment_context>\n  <cwd>/home/me/old</cwd>\n</environment_context>",
    "<environment_context>\nCurrent working directory: /home/me/old\nShell: zsh\n</environment_context>",
  ])("the Codex reader reads an older file with its directory in a message: %j", (context) => {
    const { messages, facts } = read(
      { id: ID, timestamp: AT, instructions: null, git: {} },
      { record_type: "state" },
      user(context),
      user("Hello"),
      assistant("Hi"),
    );
    expect(messages).toEqual([
      { role: "user", text: "Hello" },
      { role: "assistant", model: "codex", parts: [{ type: "text", text: "Hi" }] },
    ]);
    expect(facts).toMatchObject({ sessionId: ID, startedAt: AT, cwd: "/home/me/old" });
    expect(Object.values(facts.skipped)).toEqual([0, 0, 0, 0]);
  });
});

describe("the Codex reader on results", () => {
  it.for<readonly [string, unknown, string, boolean]>([
    ["text", "a", "a", false],
    ["JSON of the tool itself", '{"output":"a"}', '{"output":"a"}', false],
    ["JSON with an exit code", '{"output":"a","metadata":{"exit_code":2}}', "a", true],
    ["text with an exit code", "Exit code: 1\nWall time: 0.1 seconds\nOutput:\na", "", true],
    ["text with exit code 0", "Exit code: 0\nOutput:\nExit code: 1", "", false],
    ["text that quotes an exit code", `${"a".repeat(500)}\nExit code: 1\n`, "", false],
    [
      "the exit code of a process",
      "Wall time: 0.1\nProcess exited with code 7\nOutput:\na",
      "",
      true,
    ],
    ["blocks", [{ type: "input_text", text: "a" }, { type: "input_image" }], "a", false],
    ["an object", { content: "a", success: false }, "a", true],
    ["a successful object", { content: "a", success: true }, "a", false],
    ["nothing", undefined, "", false],
    ["objects in objects", { content: { content: {} } }, "", false],
    ["broken JSON", '{"output":"a","metadata":', '{"output":"a","metadata":', false],
  ])("the Codex reader reads a result that is %s", ([, value, text, isError]) => {
    const [, result] = read(item(call()), item(output(value))).messages;
    const shown = text === "" && typeof value === "string" ? value : text;
    expect(result).toEqual({
      role: "tool",
      results: [{ id: "c1", name: "shell", text: shown, isError }],
    });
  });

  it("the Codex reader reads results of MCP tools", () => {
    const result = { Ok: { content: [{ type: "text", text: "a" }], is_error: true } };
    const { messages } = read(
      item({ type: "mcp_tool_call_output", call_id: "m1", result }),
      item({ type: "mcp_tool_call_output", call_id: "m2", result: { Err: "no server" } }),
    );
    expect(messages).toEqual([
      { role: "tool", results: [{ id: "m1", name: "", text: "a", isError: true }] },
      { role: "tool", results: [{ id: "m2", name: "", text: "no server", isError: true }] },
    ]);
  });
});

describe("the Codex reader on calls", () => {
  it.for<readonly [object, string, unknown]>([
    [call({ arguments: "no json" }), "shell", "no json"],
    [call({ arguments: undefined }), "shell", null],
    [
      call({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin" }),
      "apply_patch",
      "*** Begin",
    ],
    [
      { type: "local_shell_call", call_id: "c1", action: { type: "exec", command: ["ls"] } },
      "shell",
      { type: "exec", command: ["ls"] },
    ],
    [
      { type: "web_search_call", id: "c1", action: { type: "search", query: "a" } },
      "web_search",
      { type: "search", query: "a" },
    ],
  ])("the Codex reader keeps a call with its input: %j", ([payload, name, input]) => {
    const { messages, facts } = read(item(payload));
    expect(messages).toEqual([
      { role: "assistant", model: "codex", parts: [{ type: "tool-call", id: "c1", name, input }] },
    ]);
    expect(Object.values(facts.skipped)).toEqual([0, 0, 0, 0]);
  });

  it("the Codex reader forgets the oldest of many open calls", () => {
    const calls = Array.from({ length: 1_001 }, (_, n) => item(call({ call_id: `n${n}` })));
    const answers = ["n0", "n1"].map((id) => item({ ...output("a"), call_id: id }));
    const results = read(...calls, ...answers).messages.slice(-2);
    expect(results).toMatchObject([{ results: [{ name: "" }] }, { results: [{ name: "shell" }] }]);
  });
});

describe("the Codex reader on facts", () => {
  it("the Codex reader takes the facts of a forked session from its own first line", () => {
    const other = line("session_meta", { id: "other", timestamp: "x", cwd: "/elsewhere" });
    expect(read(meta({ forked_from_id: "other" }), other).facts).toMatchObject({
      sessionId: ID,
      cwd: "/home/me/app",
    });
  });

  it.for<readonly [readonly object[], boolean]>([
    [[meta({ memory_mode: "disabled" })], true],
    [[meta(), meta({ memory_mode: "disabled" })], true],
    [[meta({ memory_mode: "disabled" }), meta({ memory_mode: "enabled" })], false],
    [[meta(), line("session_meta", { id: "other", memory_mode: "disabled" })], false],
  ])("the Codex reader uses the last memory mode of the session: %j", ([records, optedOut]) => {
    expect(read(...records).facts.optedOut).toBe(optedOut);
  });

  it.for([{ source: { subagent: "review" } }, { thread_source: "subagent" }])(
    "the Codex reader returns no messages of a sub-agent: %j",
    (more) => {
      const { messages, facts } = read(meta(more), item(user("Review this.")));
      expect([messages, facts.isSubAgent]).toEqual([[], true]);
    },
  );
});

describe("the Codex reader counts", () => {
  it.for<readonly [string, unknown, string]>([
    ["records of an unknown type", line("dream", {}), "unknownRecords"],
    ["items of an unknown type", item({ type: "dream" }), "unknownRecords"],
    ["records without a type", {}, "unknownRecords"],
    ["a number", 7, "damagedLines"],
    ["a call without a name", item(call({ name: 7 })), "damagedLines"],
    [
      "a result without a call id",
      item({ type: "function_call_output", output: "a" }),
      "damagedLines",
    ],
  ])("the Codex reader skips and counts %s", ([, record, counter]) => {
    const { messages, facts } = read(record, item(user("still read")));
    expect(messages).toEqual([{ role: "user", text: "still read" }]);
    expect(facts.skipped).toMatchObject({ [counter]: 1 });
    expect(Object.values(facts.skipped).reduce((sum, count) => sum + count)).toBe(1);
  });

  it("the Codex reader skips invalid lines and a truncated last line", () => {
    const whole = JSON.stringify(item(user("a")));
    const { messages, facts } = readMessages(`<<<\n${whole}\n${whole.slice(0, 40)}`, "codex");
    expect(messages).toEqual([{ role: "user", text: "a" }]);
    expect(facts.skipped.damagedLines).toBe(2);
  });
});
