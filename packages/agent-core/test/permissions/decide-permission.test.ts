import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePermissionRule } from "../../src/permissions/permission-rule.ts";
import {
  decidePermission,
  PERMISSION_MODES,
  type PermissionKind,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
} from "../../src/permissions/decide-permission.ts";
import type { PermissionRequest } from "../../src/permissions/match-rule.ts";

const read = { tool: "ReadMemoryTopic", permission: "memory.read", isReadOnly: true } as const;
const write = { tool: "WriteMemoryTopic", permission: "memory.write", isReadOnly: false } as const;
const look = { tool: "Read", permission: "fs.read", isReadOnly: true } as const;
const edit = { tool: "Edit", permission: "fs.write", isReadOnly: false } as const;
const server = { tool: "list_issues", permission: "mcp.github", isReadOnly: true } as const;
const bash = (subject?: string): PermissionRequest => ({
  tool: "Bash",
  permission: "shell.run",
  isReadOnly: false,
  subject,
});

function rule(text: string): PolicyRule {
  const parsed = parsePermissionRule(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return { ...parsed.rule, source: "--flag" };
}

function policy(given: {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly mode?: PermissionMode;
}): PermissionPolicy {
  const { allow = [], ask = [], deny = [], mode = "default" } = given;
  return { allow: allow.map(rule), ask: ask.map(rule), deny: deny.map(rule), mode };
}

const kindOf = (request: PermissionRequest, given: Parameters<typeof policy>[0]): PermissionKind =>
  decidePermission(request, policy(given)).kind;

describe("without a rule", () => {
  it.for([
    [read, ["allow", "allow", "allow", "allow"]],
    [write, ["allow", "allow", "deny", "allow"]],
    [look, ["allow", "allow", "allow", "allow"]],
    [edit, ["ask", "allow", "deny", "allow"]],
    [{ ...edit, protectionReason: "Always." }, ["ask", "ask", "deny", "allow"]],
    [bash("ls"), ["ask", "ask", "deny", "allow"]],
    [bash(), ["ask", "ask", "deny", "allow"]],
    // MCP servers describe their own tools, so their claim to be read-only is not trusted.
    [server, ["ask", "ask", "deny", "allow"]],
  ] as const)("decides about %j without a rule in the four modes: %j", ([request, kinds]) => {
    expect(PERMISSION_MODES.map((mode) => kindOf(request, { mode }))).toEqual(kinds);
  });

  it("applies the first matching row of custom defaults, and asks if none matches", () => {
    const reason = "Because.";
    const defaults = [
      { category: "fs", isReadOnly: false, kind: "allow", reason },
      { category: "fs", kind: "ask", reason: "Never." },
    ] as const;
    const decide = (request: PermissionRequest): unknown =>
      decidePermission(request, { ...policy({}), defaults });
    expect(decide(edit)).toEqual({ kind: "allow", reason });
    expect(decide(look)).toEqual({ kind: "ask", reason: "Never." });
    expect(decide(read)).toMatchObject({ kind: "ask" });
  });
});

describe("a rule", () => {
  it.for([
    [write, { deny: ["memory.*"], ask: ["memory.*"], allow: ["memory.*"] }, "deny"],
    [write, { ask: ["memory.write"], allow: ["memory.write", "*"] }, "ask"],
    [edit, { allow: ["*"] }, "allow"],
    [edit, { allow: ["fs.*"] }, "allow"],
    [edit, { allow: ["fs.write"] }, "allow"],
    [edit, { allow: ["Edit"] }, "allow"],
    [bash("ls; rm x"), { allow: ["shell"] }, "allow"],
    [write, { deny: ["memory"] }, "deny"],
    [server, { allow: ["mcp"] }, "allow"],
    [server, { allow: ["mcp.github"] }, "allow"],
    [server, { allow: ["mcp.gitlab"] }, "ask"],
    // An MCP tool does not get the rules of a category by using its name.
    [{ ...server, tool: "memory" }, { allow: ["memory"] }, "ask"],
    [{ ...edit, protectionReason: "Always." }, { allow: ["Edit", "*"] }, "ask"],
    [{ ...edit, protectionReason: "Always." }, { deny: ["Edit"], mode: "yolo" }, "deny"],
    [edit, { ask: ["Edit"], mode: "yolo" }, "ask"],
    [edit, { ask: ["Edit"], mode: "accept-edits" }, "ask"],
    [edit, { deny: ["Edit"], mode: "accept-edits" }, "deny"],
    [edit, { allow: ["edit", "Fs.write", "fs.writes", "f.*", "write"] }, "ask"],
    [{ ...edit, tool: "memory.write" }, { allow: ["memory.write"] }, "ask"],
    [write, { mode: "plan", allow: ["memory.write"] }, "deny"],
    [write, { mode: "plan", ask: ["memory.write"] }, "deny"],
    [read, { mode: "plan", ask: ["memory.read"] }, "ask"],
  ] as const)("decides about %j with %j: %s", ([request, given, expected]) => {
    expect(kindOf(request, given)).toBe(expected);
  });

  it("names the rule and its source in the reason", () => {
    const { reason, rule: named } = decidePermission(write, policy({ deny: ["memory.*"] }));
    expect(reason).toBe("The rule memory.* (from --flag) denies it.");
    expect(named).toEqual(rule("memory.*"));
    expect(decidePermission(write, policy({ ask: ["*"] })).reason).toBe(
      "The rule * (from --flag) requires approval.",
    );
  });

  it("gives a deny rule as the reason rather than plan mode", () => {
    const given = policy({ deny: ["Edit"], mode: "plan" });
    expect(decidePermission(edit, given).rule?.text).toBe("Edit");
    expect(decidePermission(edit, policy({ mode: "plan" }))).toEqual({
      kind: "deny",
      reason: "Plan mode is read-only, and Edit can make changes.",
    });
  });

  it("escapes control characters of a rule in the reason", () => {
    const hostile = { ...rule("Edit(\u202Ex*)"), source: "/a\n\u001B[2J" };
    const { reason } = decidePermission(
      { ...edit, subject: "\u202Exy" },
      { ...policy({}), deny: [hostile] },
    );
    expect(reason).toBe("The rule Edit(\\u{202e}x*) (from /a\\u{a}\\u{1b}[2J) denies it.");
  });
});

describe("an allow pattern", () => {
  it.for([
    ["Bash(git status*)", "git status", "allow"],
    ["Bash(git status*)", "git status -s", "allow"],
    ["Bash(git status*)", "git push", "ask"],
    ["Bash(git status*)", "git status; rm -rf ~", "ask"],
    ["Bash(git status*)", "git status && rm -rf ~", "ask"],
    ["Bash(git status*)", "git status | sh", "ask"],
    ["Bash(git status*)", "git status\nrm -rf ~", "ask"],
    ["Bash(git status*)", "git status `rm -rf ~`", "ask"],
    ["Bash(git status*)", "git status $(rm -rf ~)", "ask"],
    ["Bash(git status*)", "git status > ~/.bashrc", "ask"],
    ["Bash(git status*)", "git status < x", "ask"],
    ["Bash(git * && git *)", "git add && git commit", "ask"],
    ["Bash(*)", "git status; rm -rf ~", "allow"],
    ["Bash", "git status; rm -rf ~", "allow"],
    ["shell.*(ls)", "ls", "allow"],
    ["Bash(* --version)", "git --version", "allow"],
    ["Bash(* --version)", "sudo rm --version", "ask"],
    ["Bash(* --version)", "X=1 git --version", "ask"],
    ["Bash(*sudo* --version)", "sudo rm --version", "ask"],
    ["Bash(git *)", "GIT_PAGER=x git log", "ask"],
    ["Bash(GIT_PAGER=* git *)", "GIT_PAGER=x git log", "allow"],
    ["Bash(sudo apt *)", "sudo apt update", "allow"],
    ["Bash(time*)", "timeout 5 rm x", "ask"],
    ["Bash(ls*)", undefined, "ask"],
    ["Bash(*)", undefined, "allow"],
  ] as const)("decides with the allow rule %s about %j: %s", ([text, subject, expected]) => {
    expect(kindOf(bash(subject), { allow: [text] })).toBe(expected);
  });
});

describe("a deny or ask pattern", () => {
  it.for([
    ["rm -rf x", true],
    ["ls && rm -rf x", true],
    ["ls; (rm  x)", true],
    ["echo $(rm x)", true],
    ["ls\n\trm x", true],
    ["sudo rm x", true],
    ["sudo -u root /bin/rm -rf x", true],
    ["FOO=1 rm x", true],
    ["FOO='a b' BAR+=2 rm x", true],
    ["env -i X=1 rm x", true],
    ["command rm x", true],
    ["nohup rm x &", true],
    ["time rm x", true],
    ["timeout 5 rm x", true],
    ["ls | xargs rm", true],
    ["ls | xargs -0 rm -f", true],
    ["ls | xargs /bin/rm", true],
    ["find . -exec rm {} +", true],
    ['bash -c "rm x"', true],
    ["/bin/sh -lc 'ls; rm x'", true],
    ["/bin/rm x", true],
    ["./rm x", true],
    ["rm \\\n x", true],
    ["r\\\nm x", true],
    ['r""m x', true],
    ["r\\m x", true],
    ["$'rm' x", true],
    ["rm${IFS}x", true],
    ["rm>/dev/null x", true],
    [">/dev/null rm x", true],
    ["ls; rm $(cat list)", true],
    ["if true; then rm x; fi", true],
    ["! rm x", true],
    ["rm", true],
    ["ls rm x", false],
    ["./rmdir x", false],
    ["sudo rmdir x", false],
    ["git rm x", false],
    ["rmdir x", false],
    // A call that cannot be checked against the pattern must not get past it.
    [undefined, true],
  ] as const)("matches the deny rule Bash(rm *) against %j: %j", ([subject, isMatch]) => {
    const request = bash(subject);
    expect(kindOf(request, { deny: ["Bash(rm *)"] })).toBe(isMatch ? "deny" : "ask");
    expect(kindOf(request, { allow: ["Bash"], ask: ["Bash(rm *)"] })).toBe(
      isMatch ? "ask" : "allow",
    );
  });

  it("matches a deny pattern against a whole compound command too", () => {
    expect(kindOf(bash("curl x | sh"), { deny: ["Bash(curl * | sh)"] })).toBe("deny");
  });
});

describe("a pattern for a path", () => {
  const path = (subject: string): PermissionRequest => ({ ...edit, subject });

  it("applies no shell rules to a path pattern", () => {
    expect(kindOf(path("a&b (1).ts"), { allow: ["fs.write(a*)"] })).toBe("allow");
    expect(kindOf(path("x=1/env.ts"), { allow: ["fs.write(*.ts)"] })).toBe("allow");
    expect(kindOf(path("env/rm x"), { allow: ["*"], deny: ["fs.write(rm *)"] })).toBe("allow");
  });
});

describe("combined rules", () => {
  const text = fc.constantFrom("*", "memory.*", "Edit", "shell.run", "Bash(rm *)", "Bash(ls*)");
  const texts = fc.array(text, { maxLength: 3 });
  const given = fc.record({ allow: texts, ask: texts, deny: texts });
  const request = fc.oneof(
    fc.constantFrom(read, write, look, edit),
    fc.constantFrom(undefined, "ls", "rm x", "ls; rm x").map(bash),
    fc.constantFrom({ ...edit, protectionReason: "Always." }, server),
  );
  const mode = fc.constantFrom(...PERMISSION_MODES);
  const strictness = { allow: 0, ask: 1, deny: 2 } as const;
  const of = (kind: PermissionKind): number => strictness[kind];

  it("never becomes more permissive through an additional ask or deny rule", () => {
    fc.assert(
      fc.property(given, request, text, (lists, call, added) => {
        const before = of(kindOf(call, lists));
        const denying = of(kindOf(call, { ...lists, deny: [...lists.deny, added] }));
        const asking = of(kindOf(call, { ...lists, ask: [...lists.ask, added] }));
        expect(Math.min(denying, asking)).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it("never lets an allow rule beat an ask or deny rule or plan mode", () => {
    fc.assert(
      fc.property(given, request, mode, (lists, call, current) => {
        const without = decidePermission(call, {
          ...policy({ ...lists, allow: [] }),
          mode: current,
        });
        const all = decidePermission(call, { ...policy(lists), mode: current });
        const isBinding = without.rule !== undefined || without.kind === "deny";
        expect(of(all.kind)).toBeLessThanOrEqual(of(without.kind));
        expect(isBinding ? all : without).toEqual(without);
      }),
    );
  });

  it("decides the same for rules in any order", () => {
    fc.assert(
      fc.property(given, request, mode, (lists, call, current) => {
        const straight = { ...policy(lists), mode: current };
        const reversed = {
          allow: straight.allow.toReversed(),
          ask: straight.ask.toReversed(),
          deny: straight.deny.toReversed(),
          mode: current,
        };
        expect(decidePermission(call, reversed).kind).toBe(decidePermission(call, straight).kind);
      }),
    );
  });

  /** A second implementation of the decision, without the allow list and the defaults. */
  function possibleKinds(
    call: PermissionRequest,
    lists: { readonly ask: readonly string[]; readonly deny: readonly string[] },
    current: PermissionMode,
  ): readonly PermissionKind[] {
    const matches = (deny: readonly string[]): boolean => kindOf(call, { deny }) === "deny";
    const mayChange = !call.isReadOnly || call.permission.startsWith("mcp.");
    if (matches(lists.deny) || (current === "plan" && mayChange)) return ["deny"];
    if (matches(lists.ask)) return ["ask"];
    if (current === "yolo") return ["allow"];
    return call.protectionReason === undefined ? ["ask", "allow"] : ["ask"];
  }

  it("decides by deny, then plan mode, then ask, then yolo mode, then protection", () => {
    fc.assert(
      fc.property(given, request, mode, (lists, call, current) => {
        const kind = kindOf(call, { ...lists, mode: current });
        expect(possibleKinds(call, lists, current)).toContain(kind);
      }),
      { numRuns: 500 },
    );
  });

  it("becomes more permissive only in yolo mode, and in accept-edits mode for edits", () => {
    fc.assert(
      fc.property(given, request, mode, (lists, call, current) => {
        const mayLoosen =
          current === "yolo" || (current === "accept-edits" && call.permission === "fs.write");
        const minimum = mayLoosen ? 0 : of(kindOf(call, lists));
        expect(of(kindOf(call, { ...lists, mode: current }))).toBeGreaterThanOrEqual(minimum);
      }),
    );
  });
});
