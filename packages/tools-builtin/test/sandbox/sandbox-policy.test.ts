import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accessTo, type PathRule, sortRules } from "../../src/sandbox/sandbox-policy.ts";

const path = fc
  .array(fc.constantFrom("a", "b"), { minLength: 0, maxLength: 3 })
  .map((names) => `/${names.join("/")}`);
const rules = fc.array(
  fc.record<PathRule>({
    path,
    kind: fc.constant("directory"),
    access: fc.constantFrom("hidden", "read", "write"),
  }),
  { maxLength: 5 },
);

describe("the rules of a policy", () => {
  it("let the last rule for the nearest directory decide, in any order of directories", () => {
    fc.assert(
      fc.property(rules, path, (given, target) => {
        const around = given.filter(
          (rule) => rule.path === "/" || `${target}/`.startsWith(`${rule.path}/`),
        );
        const depth = Math.max(...around.map((rule) => rule.path.replace(/^\/$/, "").length));
        const nearest = around.findLast((rule) => rule.path.replace(/^\/$/, "").length === depth);
        expect(accessTo(target, sortRules(given))).toBe(nearest?.access ?? "read");
      }),
    );
  });

  it("ignores a rule for a name that only begins the same", () => {
    const only: readonly PathRule[] = [{ path: "/a", kind: "directory", access: "hidden" }];
    expect(accessTo("/ab", only)).toBe("read");
  });
});
