import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findExceeded } from "../../../src/conversation/budget/check-budget.ts";

const amount = fc.integer({ min: 0, max: 4 });

it("finds a budget exactly when the next request would exceed what is allowed", () => {
  const limit = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
  fc.assert(
    fc.property(limit, amount, amount, amount, (dollars, allowed, spent, next) => {
      const found = findExceeded([{ name: "day", dollars, allowed, spent }], next);
      const isExceeded = dollars !== undefined && spent + next > dollars + allowed;
      expect(found?.name).toBe(isExceeded ? "day" : undefined);
      if (!isExceeded) return;
      // One agreement is enough for this request, and allows no more than it needs.
      const more = found?.more ?? 0;
      const again = { name: "day", dollars, spent } as const;
      expect(findExceeded([{ ...again, allowed: allowed + more }], next)).toBeUndefined();
      expect(more % dollars).toBe(0);
      const less = { ...again, allowed: allowed + more - dollars };
      expect(more === dollars || findExceeded([less], next) !== undefined).toBe(true);
    }),
  );
});
