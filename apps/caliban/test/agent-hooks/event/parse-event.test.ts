import { expect, it } from "vitest";
import { parseEvent } from "../../../src/agent-hooks/event/parse-event.ts";

const common = { session_id: "s", cwd: "/work/app", transcript_path: null };
const tool = (name: string, tool_name: string, tool_input: object, more: object = {}): object => ({
  ...common,
  hook_event_name: name,
  tool_name,
  tool_input,
  ...more,
});
const file = (action: string, path: string, text: string): object => ({
  kind: "call",
  call: { kind: "file", action, path, text },
});
const command = (text: string): object => ({
  kind: "call",
  call: { kind: "command", command: text },
});

// As the agents sent them, apart from what is not read.
it.for([
  [
    "Claude Code reads",
    tool(
      "PostToolUse",
      "Read",
      { file_path: "/work/app/a.ts" },
      {
        tool_response: { type: "text", file: { filePath: "/work/app/a.ts", content: "one\ntwo" } },
      },
    ),
    file("read", "/work/app/a.ts", "one\ntwo"),
  ],
  [
    "Claude Code edits",
    tool("PostToolUse", "Edit", { file_path: "a.ts", old_string: "x", new_string: "y" }),
    file("edit", "a.ts", "x\ny"),
  ],
  [
    "Claude Code writes",
    tool("PostToolUse", "Write", { file_path: "a.ts", content: "x" }),
    file("create", "a.ts", "x"),
  ],
  [
    "Claude Code runs a command that fails",
    tool(
      "PostToolUseFailure",
      "Bash",
      { command: "npm test" },
      { error: "Exit code 3", is_interrupt: false },
    ),
    command("npm test"),
  ],
  [
    "Codex runs a command",
    tool("PostToolUse", "Bash", { command: "echo hi" }, { tool_response: "hi\n" }),
    command("echo hi"),
  ],
  [
    "Codex patches",
    tool("PostToolUse", "apply_patch", {
      command: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch",
    }),
    file(
      "edit",
      "src/a.ts",
      "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch",
    ),
  ],
  [
    "Gemini CLI runs a command",
    tool(
      "AfterTool",
      "run_shell_command",
      { command: "ls" },
      { tool_response: { llmContent: "Output: a" } },
    ),
    command("ls"),
  ],
  [
    "Gemini CLI reads",
    tool("AfterTool", "read_file", { file_path: "a.ts" }, { tool_response: { llmContent: "one" } }),
    file("read", "a.ts", "one"),
  ],
  [
    "Qwen Code edits",
    tool("PostToolUse", "edit", { file_path: "a.ts", old_string: "x", new_string: "y" }),
    file("edit", "a.ts", "x\ny"),
  ],
  [
    "opencode edits",
    tool("PostToolUse", "edit", { filePath: "a.ts", oldString: "x", newString: "y" }),
    file("edit", "a.ts", "x\ny"),
  ],
  [
    "pi edits",
    tool("PostToolUse", "edit", { path: "a.ts", edits: [{ oldText: "x", newText: "y" }] }),
    file("edit", "a.ts", "x\ny"),
  ],
  [
    "pi reads",
    tool(
      "PostToolUse",
      "read",
      { path: "a.ts" },
      { tool_response: [{ type: "text", text: "one" }] },
    ),
    file("read", "a.ts", "one"),
  ],
  [
    "a message to Codex",
    { ...common, hook_event_name: "UserPromptSubmit", prompt: "deploy it" },
    { kind: "message", text: "deploy it" },
  ],
  [
    "a message to Gemini CLI",
    {
      ...common,
      hook_event_name: "BeforeAgent",
      prompt: "<hook_context>[Notes]</hook_context>\n\ndeploy it",
    },
    { kind: "message", text: "deploy it" },
  ],
  [
    "a new session",
    { ...common, hook_event_name: "SessionStart", source: "startup" },
    { kind: "start" },
  ],
  [
    "a summary of Claude Code",
    { ...common, hook_event_name: "SessionStart", source: "compact" },
    { kind: "compacted" },
  ],
  [
    "a summary of Gemini CLI",
    { ...common, hook_event_name: "PreCompress", trigger: "auto" },
    { kind: "compacted" },
  ],
] as const)("understands the event when %s", ([, input, moment]) => {
  expect(parseEvent(JSON.stringify(input))).toMatchObject({
    session: "s",
    cwd: "/work/app",
    moment,
  });
});

it.for([
  ["another tool", tool("PostToolUse", "TodoWrite", {})],
  ["a tool named like a method of objects", tool("PostToolUse", "constructor", {})],
  [
    "a read that failed",
    tool("AfterTool", "read_file", { file_path: "a" }, { tool_response: { error: "x" } }),
  ],
  [
    "a command that the user stopped",
    tool("PostToolUseFailure", "Bash", { command: "x" }, { is_interrupt: true }),
  ],
  ["a call without a path", tool("PostToolUse", "Read", {})],
  ["a message without text", { ...common, hook_event_name: "UserPromptSubmit", prompt: "  " }],
] as const)("has nothing to say about %s", ([, input]) => {
  expect(parseEvent(JSON.stringify(input))).toBe("ignored");
});

it.for([
  ["", "stdin is empty"],
  ["{", "not a JSON object"],
  ["[1]", "not a JSON object"],
  ['{"session_id":"s"}', "hook_event_name is missing"],
  ['{"hook_event_name":"PostToolUse"}', "session_id is missing"],
  ['{"hook_event_name":"MoonPhase","session_id":"s"}', "unknown event MoonPhase"],
  ['{"hook_event_name":"constructor","session_id":"s","kind":"start"}', "unknown event"],
  ['{"hook_event_name":"__proto__","session_id":"s"}', "unknown event"],
] as const)("says what is wrong with %j", ([input, problem]) => {
  expect(parseEvent(input)).toEqual({ problem: expect.stringContaining(problem) });
});
