import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createToolRunner } from "../../src/loop/tool-runner.ts";
import {
  decidePermission,
  PERMISSION_MODES,
  type PermissionKind,
  type PermissionPolicy,
  withEnforcedRules,
} from "../../src/permissions/decide-permission.ts";
import {
  ENFORCED_EFFECTS,
  type EnforcedEffect,
  type EnforcedRule,
} from "../../src/permissions/enforced-rule.ts";
import type { PermissionRequest } from "../../src/permissions/match-rule.ts";
import { offeredTools } from "../../src/permissions/offered-tools.ts";
import { parsePermissionRule, type PermissionRule } from "../../src/permissions/permission-rule.ts";
import type { PermissionQuestion } from "../../src/permissions/permission-gate.ts";
import type { Tool } from "../../src/tool.ts";

function parsed(text: string): PermissionRule {
  const result = parsePermissionRule(text);
  if ("problem" in result) throw new Error(result.problem);
  return result.rule;
}

function enforced(effect: EnforcedEffect, text: string): EnforcedRule {
  const reason = "never run npm here, use pnpm";
  return { ...parsed(text), effect, memory: "deploy-rule", reason, source: "enforced.json" };
}

const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };
const YOLO: PermissionPolicy = { ...NO_RULES, mode: "yolo" };

const bash = (subject: string | undefined): PermissionRequest => ({
  tool: "Bash",
  permission: "shell.run",
  isReadOnly: false,
  subject,
});

const RULES = ["Bash(npm *)", "Bash", "shell", "fs.write(src/*)", "Edit(a.ts)", "*", "mcp.x"];
const STRENGTH: readonly PermissionKind[] = ["allow", "ask", "deny"];

describe("an enforced rule", () => {
  it("never makes a decision weaker, whatever the request, the other rules and the mode", () => {
    const rules = fc.subarray(RULES, { maxLength: 2 });
    const request = fc.constantFrom<PermissionRequest>(
      bash("npm i"),
      bash("ls; npm test"),
      bash("pnpm i"),
      bash(undefined),
      { ...bash("npm i"), sandbox: { needs: "read-only", canWrite: true, canLeave: true } },
      { ...bash("npm i"), sandbox: { needs: "outside", canWrite: true, canLeave: false } },
      { ...bash("npm i"), protectionReason: "Protected." },
      { ...bash("npm i"), reservedReason: "Reserved." },
      { tool: "Edit", permission: "fs.write", isReadOnly: false, subject: "src/a.ts" },
      { tool: "Read", permission: "fs.read", isReadOnly: true, subject: "a.ts" },
      { tool: "x", permission: "mcp.x", isReadOnly: true },
    );
    const added = fc.array(
      fc.record({ effect: fc.constantFrom(...ENFORCED_EFFECTS), text: fc.constantFrom(...RULES) }),
      { minLength: 1, maxLength: 3 },
    );
    const mode = fc.constantFrom(...PERMISSION_MODES);
    fc.assert(
      fc.property(
        fc.record({ allow: rules, ask: rules, deny: rules, mode, request, added }),
        ({ allow, ask, deny, request: call, added: given, mode: current }) => {
          const sourced = (texts: readonly string[]): PermissionPolicy["allow"] =>
            texts.map((text) => ({ ...parsed(text), source: "--flag" }));
          const policy: PermissionPolicy = {
            allow: sourced(allow),
            ask: sourced(ask),
            deny: sourced(deny),
            mode: current,
          };
          const list = given.map(({ effect, text }) => enforced(effect, text));
          const before = decidePermission(call, policy);
          const after = decidePermission(call, withEnforcedRules(policy, list));
          expect(STRENGTH.indexOf(after.kind)).toBeGreaterThanOrEqual(
            STRENGTH.indexOf(before.kind),
          );
          // A stricter decision must not come with more access, either.
          const access = after.kind === "deny" ? after.access : before.access;
          expect(after.access).toBe(access);
          const isNoted = list.every(({ effect }) => effect === "note");
          expect(after.kind).toBe(isNoted ? before.kind : after.kind);
        },
      ),
    );
  });

  it.for([
    "npm i",
    "cd x && npm i",
    "sudo npm i",
    "sh -c 'npm i'",
    "X=npm; $X i",
    "n''pm i",
    "/usr/bin/npm i",
  ])("denies %s in every mode, with the words of the memory", (command) => {
    for (const mode of PERMISSION_MODES) {
      const allow = [{ ...parsed("*"), source: "--allow" }];
      const policy = withEnforcedRules({ ...NO_RULES, allow, mode }, [
        enforced("deny", "Bash(npm *)"),
      ]);
      expect(decidePermission(bash(command), policy)).toMatchObject({
        kind: "deny",
        reason:
          "Denied by the enforced memory deploy-rule: never run npm here, use pnpm. Rule: Bash(npm *).",
      });
    }
  });

  it("takes away a tool only if it denies every call of it", () => {
    const tools = [{ name: "Bash", permission: "shell.run", isReadOnly: false }];
    const offered = (rule: EnforcedRule): number =>
      offeredTools(tools, withEnforcedRules(NO_RULES, [rule])).length;
    expect(offered(enforced("deny", "Bash(npm *)"))).toBe(1);
    expect(offered(enforced("ask", "Bash"))).toBe(1);
    expect(offered(enforced("deny", "Bash"))).toBe(0);
  });
});

describe("a tool runner with enforced rules", () => {
  const tool: Tool = {
    name: "Bash",
    description: "",
    permission: "shell.run",
    isReadOnly: false,
    inputSchema: {},
    subjectOf: (input) => (typeof input === "string" ? input : undefined),
    run: async () => ({ text: "done\n" }),
  };
  const call = { name: "Bash", input: "npm i" };

  it("tells the model the rule and its reason", async () => {
    const policy = withEnforcedRules(YOLO, [enforced("deny", "Bash(npm *)")]);
    const result = await createToolRunner({ tools: [tool], policy }).run(call);
    expect(result).toMatchObject({ isError: true, data: { code: "DENIED" } });
    expect(result.text).toContain(
      "Denied by the enforced memory deploy-rule: never run npm here, use pnpm. Rule: Bash(npm *).",
    );
  });

  it("adds a note to the result of a call that runs", async () => {
    const policy = withEnforcedRules(YOLO, [enforced("note", "Bash(npm *)")]);
    const { run } = createToolRunner({ tools: [tool], policy });
    expect(await run(call)).toEqual({
      text: "done\n\n[enforced memory deploy-rule] never run npm here, use pnpm.",
    });
    expect(await run({ ...call, input: "pnpm i" })).toEqual({ text: "done\n" });
  });

  it.for([
    ["an enforced rule", withEnforcedRules(YOLO, [enforced("ask", "Bash(npm *)")]), undefined],
    ["a reserved call", YOLO, () => "Only you decide about rules."],
  ] as const)(
    "asks about %s each time, even in yolo mode and after always",
    async ([, policy, reservedReason]) => {
      const questions: PermissionQuestion[] = [];
      const { run } = createToolRunner({
        tools: [tool],
        policy,
        reservedReason,
        approvals: {
          isApproved: async () => true,
          approve: async () => expect.unreachable("nothing is stored"),
        },
        ask: async (question) => {
          questions.push(question);
          return "always";
        },
      });
      await run(call);
      expect((await run(call)).text).toBe("done\n");
      expect(questions).toHaveLength(2);
      expect(questions[0]).toMatchObject({
        allowsAlways: false,
        alwaysScope: "this call only, because it always needs approval",
      });
    },
  );

  it("refuses a reserved call when no one can answer, and suggests no rule", async () => {
    const reservedReason = (): string => "Only you decide about rules.";
    const { run } = createToolRunner({ tools: [tool], policy: YOLO, reservedReason });
    const { text } = await run(call);
    expect(text).toContain("Only you decide about rules. No one is available to approve it.");
    expect(text).not.toContain("--allow");
  });
});
