import { expect, it } from "vitest";
import { splitStatements } from "../../../src/memory/review/statements.ts";

it("splits words of any length, so that patterns stay fast, and leaves nothing out", () => {
  const statements = splitStatements(`${"x".repeat(100_000)}\n\n- ${"a/".repeat(50_000)}`);
  const words = statements.flatMap(({ text }) => text.split(/\s+/));
  expect(Math.max(...words.map(({ length }) => length))).toBeLessThanOrEqual(200);
  expect(words.join("").replaceAll(/[^xa/]/g, "")).toHaveLength(200_000);
});
