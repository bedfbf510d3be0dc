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
] as const)("reads %j as calls of %j with %j", ([text, name, subject]) => {
  expect(parsePermissionRule(text)).toEqual({ rule: { text, name, subject } });
});

it.for([
  ["", "cannot be empty"],
  ["a\u0000b", "cannot hold control characters"],
  ["Bash(a\nb)", "cannot hold control characters"],
  ["a".repeat(257), "at most 256 characters"],
  ["Bash(git", "the parentheses of Bash(git do not match"],
  ["Bash)", "do not match"],
  ["Bash)(", "do not match"],
  ["Bash(a))", "do not match"],
  ["Bash((a)", "do not match"],
  ["Bash(a)(b)", "do not match"],
  ["Bash(a) ", "do not match"],
  ["Bash()", "nothing stands in the parentheses of Bash(); write Bash for every call."],
  ["(ls)", '"" is neither'],
  ["memory.w*", "a star stands for a whole action or for everything"],
  ["mem*", "as in memory.* or *, which mem* is not."],
  ["*.write", "a star"],
  ["**", "a star"],
  ["memory.*.x", "a star"],
  ["a.b.c", '"a.b.c" is neither a tool\'s name nor a permission like memory.write.'],
  ["memory.", "neither"],
  [".write", "neither"],
  [" memory.write", "neither"],
  ["memory.write,memory.read", "neither"],
  ["!memory.write", "neither"],
  ["memory\u202E.write", '"memory\\u{202e}.write"'],
] as const)("refuses %j: %s", ([text, problem]) => {
  expect(parsePermissionRule(text)).toEqual({ problem: expect.stringContaining(problem) });
});

it("gives for any text a rule that says it, or a sentence", () => {
  const unit = fc.constantFrom("a", "B", ".", "*", "(", ")", " ", "\n", "\u202E");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
      const parsed = parsePermissionRule(text);
      const isSound =
        "problem" in parsed
          ? /^[^\p{Cc}\u202E]+\.$/u.test(parsed.problem)
          : parsed.rule.text === text && text.startsWith(parsed.rule.name);
      expect(isSound).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
