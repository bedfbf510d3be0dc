import { PERMISSION_MODES, type PermissionPolicy, type PolicyRule } from "@caliban/agent-core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hiddenMemoryPermission,
  isAllMemoryReadable,
  memoryPermission,
} from "../../src/memory-access/memory-permission.ts";

const NAMES = [
  "memory.read",
  "memory",
  "*",
  "ReadMemoryTopic",
  "fs.read",
  "Read",
  "fs",
  "shell.run",
];
const SUBJECTS = [undefined, "*", "pay*", "memory://*", "memory://topics/pay*", ".env*"];
const ADDRESSES = [
  "memory://index",
  "memory://root/a.md",
  "memory://topics/payroll",
  "memory://topics/x",
];

const RULES: readonly PolicyRule[] = NAMES.flatMap((name) =>
  SUBJECTS.map((subject) => ({ text: name, name, source: "here", subject })),
);
const rules = fc.array(fc.constantFrom(...RULES), { maxLength: 2 });
const policies: fc.Arbitrary<PermissionPolicy> = fc.record({
  allow: rules,
  ask: rules,
  deny: rules,
  mode: fc.constantFrom(...PERMISSION_MODES),
});

describe("isAllMemoryReadable", () => {
  it("never holds when a rule keeps some memory from being read", () => {
    fc.assert(
      fc.property(policies, (policy) => {
        if (!isAllMemoryReadable(policy)) return;
        expect(hiddenMemoryPermission(policy)).toBe("allow");
        for (const address of ADDRESSES) expect(memoryPermission(address, policy)).toBe("allow");
      }),
      { numRuns: 500 },
    );
  });

  it("holds without rules, and with rules about commands", () => {
    const rule = { text: "shell.run(rm *)", name: "shell.run", subject: "rm *", source: "here" };
    for (const deny of [[], [rule]]) {
      expect(isAllMemoryReadable({ allow: [], ask: [], deny, mode: "default" })).toBe(true);
    }
  });
});
