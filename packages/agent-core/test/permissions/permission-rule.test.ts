import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parsePermissionRule } from "../../src/permissions/permission-rule.ts";

it.for([
  ["*", "*", undefined],
  ["memory.*", "memory.*", undefined],
  ["memory.write", "memory.write", undefined],
  ["WriteMemoryTopic", "WriteMemoryTopic", undefined],
  ["writememorytopic", "writememorytopic", undefined],
  ["mcp__server-1__tool", "mcp__server-1__tool", undefined],
  ["Bash(git status*)", "Bash", "git status*"],
  ["bash.run(npm test)", "bash.run", "npm test"],
  ["bash.*(npm **t**)", "bash.*", "npm *t*"],
  ["Bash(echo $(date) (x))", "Bash", "echo $(date) (x)"],
  ["Bash(*)", "Bash", undefined],
  ["Bash(***)", "Bash", undefined],
  ["*(rm *)", "*", "rm *"],
  [`Bash(${"é".repeat(250)})`, "Bash", "é".repeat(250)],
] as const)("parses %j as the name %j with the pattern %j", ([text, name, subject]) => {
  expect(parsePermissionRule(text)).toEqual({ rule: { text, name, subject } });
});

it.for([
  ["", "cannot be empty"],
  ["a\u0000b", "cannot contain control characters"],
  ["Bash(a\nb)", "cannot contain control characters"],
  ["a".repeat(257), "at most 256 characters"],
  ["Bash(git", 'unbalanced parentheses in "Bash(git"'],
  ["Bash)", "unbalanced parentheses"],
  ["Bash)(", "unbalanced parentheses"],
  ["Bash(a))", "unbalanced parentheses"],
  ["Bash((a)", "unbalanced parentheses"],
  ["Bash(a)(b)", "unbalanced parentheses"],
  ["Bash(a) ", "unbalanced parentheses"],
  ["Bash()", 'the parentheses in "Bash()" are empty; write "Bash" to match every call.'],
  ["(ls)", '"" is neither'],
  ["memory.w*", "a star replaces a whole action or everything"],
  ["mem*", '"mem*" is not a valid name: a star replaces'],
  ["*.write", "a star"],
  ["**", "a star"],
  ["memory.*.x", "a star"],
  ["a.b.c", '"a.b.c" is neither a tool name nor a permission such as memory.write.'],
  ["memory.", "neither"],
  [".write", "neither"],
  [" memory.write", "neither"],
  ["memory.write,memory.read", "neither"],
  ["!memory.write", "neither"],
  ["memory\u202E.write", '"memory\\u{202e}.write"'],
] as const)("rejects the rule %j: %s", ([text, problem]) => {
  expect(parsePermissionRule(text)).toEqual({ problem: expect.stringContaining(problem) });
});

it("parses any text into a matching rule or a one-line problem", () => {
  const unit = fc.constantFrom("a", "B", ".", "*", "(", ")", " ", "\n", "\u202E");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
      const parsed = parsePermissionRule(text);
      const isValid =
        "problem" in parsed
          ? /^[^\p{Cc}\u202E]+\.$/u.test(parsed.problem)
          : parsed.rule.text === text && text.startsWith(parsed.rule.name);
      expect(isValid).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
