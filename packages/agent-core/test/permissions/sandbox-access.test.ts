import { describe, expect, it } from "vitest";
import {
  decidePermission,
  PERMISSION_MODES,
  type PermissionPolicy,
  type PolicyRule,
} from "../../src/permissions/decide-permission.ts";
import type { SandboxRequest } from "../../src/permissions/sandbox-access.ts";

const SANDBOX: SandboxRequest = { needs: "read-only", canWrite: true, canLeave: true };
const EVERY_COMMAND: PolicyRule = { text: "shell", name: "shell", source: "--flag" };

function decide(sandbox: SandboxRequest, given: Partial<PermissionPolicy> = {}): string {
  const request = {
    tool: "Bash",
    permission: "shell.run",
    isReadOnly: false,
    subject: "x",
    sandbox,
  };
  const policy = { allow: [], ask: [], deny: [], mode: "default", ...given } as const;
  const { kind, access } = decidePermission(request, policy);
  return kind === "deny" ? kind : `${kind} ${access}`;
}

describe("a call that can be confined", () => {
  it.for([
    [{}, ["allow read-only", "allow workspace", "deny", "allow outside"]],
    [{ needs: "workspace" }, ["ask workspace", "allow workspace", "deny", "allow outside"]],
    [{ needs: "outside" }, ["ask outside", "ask outside", "deny", "allow outside"]],
    [
      { needs: "workspace", discards: "rm" },
      ["ask workspace", "ask workspace", "deny", "allow outside"],
    ],
    [{ discards: "rm" }, ["allow read-only", "ask workspace", "deny", "allow outside"]],
    // The workspace is the home directory, for example.
    [{ canWrite: false }, ["allow read-only", "allow read-only", "deny", "allow outside"]],
    [
      { canWrite: false, needs: "workspace" },
      ["ask outside", "ask outside", "deny", "allow outside"],
    ],
    // The sandbox is always on.
    [
      { canLeave: false, needs: "outside" },
      ["ask workspace", "allow workspace", "deny", "allow workspace"],
    ],
    [
      { canLeave: false, needs: "workspace", discards: "rm" },
      ["ask workspace", "ask workspace", "deny", "allow workspace"],
    ],
    [
      { canLeave: false, canWrite: false, needs: "outside" },
      ["allow read-only", "allow read-only", "deny", "allow read-only"],
    ],
  ] as const)(
    "decides about a call that can be confined in the four modes for %j: %j",
    ([change, expected]) => {
      expect(PERMISSION_MODES.map((mode) => decide({ ...SANDBOX, ...change }, { mode }))).toEqual(
        expected,
      );
    },
  );

  it("applies rules first, and runs a call unconfined if a rule allows it", () => {
    const rules = [EVERY_COMMAND];
    expect(decide(SANDBOX, { deny: rules })).toBe("deny");
    expect(decide(SANDBOX, { ask: rules, mode: "accept-edits" })).toBe("ask outside");
    expect(decide(SANDBOX, { allow: rules })).toBe("allow outside");
    const discards = { ...SANDBOX, needs: "workspace", discards: "rm" } as const;
    expect(decide(discards, { allow: rules })).toBe("allow outside");
    expect(decide({ ...SANDBOX, canLeave: false }, { allow: rules })).toBe("allow workspace");
  });
});
