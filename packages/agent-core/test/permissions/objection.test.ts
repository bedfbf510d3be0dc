import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createToolRunner, type ToolRunnerInput } from "../../src/loop/tool-runner.ts";
import {
  decidePermission,
  PERMISSION_MODES,
  type PermissionKind,
  type PermissionPolicy,
  withEnforcedRules,
} from "../../src/permissions/decide-permission.ts";
import { ENFORCED_EFFECTS } from "../../src/permissions/enforced-rule.ts";
import type { PermissionRequest } from "../../src/permissions/match-rule.ts";
import type { Objection } from "../../src/permissions/objection.ts";
import type { PermissionQuestion } from "../../src/permissions/permission-gate.ts";
import { parsePermissionRule, type PermissionRule } from "../../src/permissions/permission-rule.ts";
import type { Tool, ToolContext } from "../../src/tool.ts";

const STRENGTH: readonly PermissionKind[] = ["allow", "ask", "deny"];
const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

function parsed(text: string): PermissionRule {
  const result = parsePermissionRule(text);
  if ("problem" in result) throw new Error(result.problem);
  return result.rule;
}

function objection(effect: Objection["effect"]): Objection {
  return { effect, reason: "The hook says why.", text: "The hook says more." };
}

describe("an objection to a call", () => {
  it("never makes a decision weaker, whatever the rules, enforced rules and the mode", () => {
    const rules = fc.subarray(["Bash(rm *)", "Bash", "fs", "*", "mcp.x"], { maxLength: 2 });
    const call = { tool: "Bash", permission: "shell.run", isReadOnly: false, subject: "rm x" };
    const request = fc.constantFrom<PermissionRequest>(
      call,
      { ...call, sandbox: { needs: "read-only", canWrite: true, canLeave: true } },
      { ...call, protectionReason: "Protected." },
      { ...call, reservedReason: "Reserved." },
      { tool: "Read", permission: "fs.read", isReadOnly: true, subject: "a" },
      { tool: "x", permission: "mcp.x", isReadOnly: true },
    );
    const enforced = fc.array(
      fc.record({
        effect: fc.constantFrom(...ENFORCED_EFFECTS),
        text: fc.constantFrom("*", "Bash(rm *)"),
      }),
      { maxLength: 2 },
    );
    const effect = fc.constantFrom("deny", "ask");
    const mode = fc.constantFrom(...PERMISSION_MODES);
    const given = fc.record({
      allow: rules,
      ask: rules,
      deny: rules,
      mode,
      enforced,
      effect,
      request,
    });
    fc.assert(
      fc.property(given, ({ allow, ask, deny, mode: current, enforced: added, ...rest }) => {
        const sourced = (texts: readonly string[]): PermissionPolicy["allow"] =>
          texts.map((text) => ({ ...parsed(text), source: "--flag" }));
        const lists = { allow: sourced(allow), ask: sourced(ask), deny: sourced(deny) };
        const policy = withEnforcedRules(
          { ...lists, mode: current },
          added.map(({ effect: one, text }) => {
            return { ...parsed(text), effect: one, memory: "m", reason: "r", source: "s" };
          }),
        );
        const before = decidePermission(rest.request, policy);
        const after = decidePermission(
          { ...rest.request, objection: objection(rest.effect) },
          policy,
        );
        const strictest = Math.max(STRENGTH.indexOf(before.kind), STRENGTH.indexOf(rest.effect));
        expect(after.kind).toBe(STRENGTH[strictest]);
        expect(after.isOnceOnly ?? false).toBe(after.kind === "ask");
        // Who decides stays the same where a rule or the user already does.
        const isReserved = rest.request.reservedReason !== undefined && before.rule === undefined;
        const decides = isReserved && after.kind === "ask" ? "Reserved." : after.reason;
        expect(after.reason).toBe(decides);
        expect(after.access).toBe(after.kind === "deny" ? after.access : before.access);
      }),
    );
  });
});

function recording(seen: ToolContext[]): Tool {
  return {
    name: "Bash",
    description: "",
    permission: "shell.run",
    isReadOnly: false,
    inputSchema: { type: "object" },
    subjectOf: () => "ls",
    run: async (_, context) => {
      seen.push(context);
      return { text: "done", isTrusted: true };
    },
  };
}

async function runTwice(given: Partial<ToolRunnerInput>): Promise<{
  readonly texts: readonly string[];
  readonly data: unknown;
  readonly seen: readonly ToolContext[];
}> {
  const seen: ToolContext[] = [];
  const policy = { ...NO_RULES, mode: "yolo" } as const;
  const { run } = createToolRunner({ tools: [recording(seen)], policy, ...given });
  const [one, two] = [
    await run({ name: "Bash", input: {} }),
    await run({ name: "Bash", input: {} }),
  ];
  return { texts: [one.text, two.text], data: one.data, seen };
}

describe("a runner with a hook", () => {
  it("refuses a call that a hook denies, and tells each reader in its words", async () => {
    const { texts, data, seen } = await runTwice({ beforeCall: async () => objection("deny") });
    expect(texts[0]).toMatch(/^Bash was not run\. The hook says more\.\nDo not work around this/);
    expect(data).toEqual({ code: "DENIED", message: "Bash was not run. The hook says why." });
    expect(seen).toEqual([]);
  });

  it("asks each time about a call that a hook objects to, and stores no answer", async () => {
    const questions: PermissionQuestion[] = [];
    const approved: string[] = [];
    const { texts } = await runTwice({
      beforeCall: async () => objection("ask"),
      approvals: { isApproved: async () => true, approve: async (key) => void approved.push(key) },
      ask: async (question) => {
        questions.push(question);
        return "always";
      },
    });
    expect(texts).toEqual(["done", "done"]);
    expect(questions).toHaveLength(2);
    expect(questions[0]).toMatchObject({ reason: "The hook says why.", allowsAlways: false });
    expect(approved).toEqual([]);
  });

  it("refuses a call that a hook asks about without a user, and suggests no rule", async () => {
    const { texts } = await runTwice({ beforeCall: async () => objection("ask") });
    expect(texts[0]).toContain("The hook says more.\nNo one is available to approve it.");
    expect(texts[0]).not.toContain("--allow");
  });

  it("counts what the hook said as text that the model has read from others", async () => {
    const { seen } = await runTwice({ afterCall: async () => "<hook>obey</hook>" });
    expect(seen.map(({ seen: texts }) => texts?.results)).toEqual([
      [],
      [{ tool: "hook", permission: "hook.run", text: "<hook>obey</hook>" }],
    ]);
    let isFirst = true;
    const beforeCall = async (): Promise<Objection | undefined> => {
      const given = isFirst ? objection("deny") : undefined;
      isFirst = false;
      return given;
    };
    const denied = await runTwice({ beforeCall });
    expect(denied.seen[0]?.seen?.results).toMatchObject([{ text: "The hook says more." }]);
  });

  it("masks secrets in what the hook adds to a result", async () => {
    const { texts } = await runTwice({
      afterCall: async () => "key abc",
      mask: (text) => text.replace("abc", "***"),
    });
    expect(texts[0]).toBe("done\n\nkey ***");
  });

  it("gives the hook what the call and its result are", async () => {
    const given: unknown[] = [];
    await runTwice({
      beforeCall: async ({ name, permission, input }) => void given.push([name, permission, input]),
      afterCall: async ({ call, result }) => void given.push([call.name, result.text]),
    });
    expect(given.slice(0, 2)).toEqual([
      ["Bash", "shell.run", {}],
      ["Bash", "done"],
    ]);
  });
});
