import { describe, expect, it } from "vitest";
import { matchesTool } from "../../src/hooks/hook.ts";
import { describeFailure } from "../../src/hooks/hook-failure.ts";
import { parseHookOutput } from "../../src/hooks/parse-hook-output.ts";

describe("what a hook prints", () => {
  it.for([
    ["PreToolUse", "", {}],
    ["PreToolUse", " \n", {}],
    ["PreToolUse", "{}", {}],
    ["PreToolUse", "\uFEFF{}", {}],
    [
      "PreToolUse",
      '{"permissionDecision":"deny","permissionDecisionReason":"no"}',
      { decision: "deny", reason: "no" },
    ],
    [
      "PreToolUse",
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}',
      { decision: "ask" },
    ],
    ["PostToolUse", '{"additionalContext":"formatted"}', { context: "formatted" }],
    ["UserPromptSubmit", '{"hookSpecificOutput":{"additionalContext":"x"}}', { context: "x" }],
    ["SessionStart", '{"additionalContext":"x"}', { context: "x" }],
    ["Stop", "{}", {}],
  ] as const)("is understood for %s: %s", ([event, stdout, answer]) => {
    expect(parseHookOutput(event, stdout)).toEqual({ answer });
  });

  it.for([
    [
      "PreToolUse",
      "denied!",
      "printed something else than a JSON object. Print one JSON object or nothing",
    ],
    ["PreToolUse", "[1]", "printed something else than a JSON object."],
    ["PreToolUse", "{}{}", "printed something else than a JSON object."],
    [
      "PreToolUse",
      '{"permisionDecision":"deny"}',
      'printed the unknown key "permisionDecision"; did you mean permissionDecision?',
    ],
    ["PreToolUse", '{"decision":"block"}', 'printed the unknown key "decision"; its keys are'],
    [
      "PreToolUse",
      '{"permissionDecision":"DENY"}',
      'permissionDecision is not "deny", "ask" or "allow"',
    ],
    ["PreToolUse", '{"permissionDecisionReason":1}', "permissionDecisionReason is not a string"],
    ["PreToolUse", '{"additionalContext":"x"}', 'printed the unknown key "additionalContext"'],
    ["PreToolUse", '{"hookSpecificOutput":[]}', "hookSpecificOutput is not an object"],
    [
      "PreToolUse",
      '{"hookSpecificOutput":{"hookEventName":"Stop"}}',
      'hookEventName is not "PreToolUse"',
    ],
    [
      "PostToolUse",
      '{"permissionDecision":"deny"}',
      'printed the unknown key "permissionDecision"',
    ],
    ["Stop", '{"additionalContext":"x"}', "Stop has no effect to ask for"],
  ] as const)("is a failure with a remedy for %s: %s", ([event, stdout, message]) => {
    const parsed = parseHookOutput(event, stdout);
    const failure = "failure" in parsed ? parsed.failure : undefined;
    expect(failure && describeFailure("x", failure)).toContain(message);
  });
});

it.for([
  [undefined, "Bash", true],
  ["Bash", "Bash", true],
  ["Bash", "BashOutput", false],
  ["Edit|Write", "Write", true],
  ["Edit|Write", "WriteMemoryTopic", false],
  ["*", "Bash", true],
  ["mcp__*", "mcp__github__list", true],
  ["mcp__*__list", "mcp__github__list", true],
  ["mcp__*__list", "mcp__list", false],
  ["*Memory*Topic", "WriteMemoryTopic", true],
  ["a*a", "a", false],
  ["bash", "Bash", false],
] as const)("the matcher %s matches the tool %s: %s", ([matcher, tool, isMatch]) => {
  expect(matchesTool(matcher, tool)).toBe(isMatch);
});
