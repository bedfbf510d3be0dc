import { expect, it } from "vitest";
import {
  countQuestions,
  ORDINARY_SESSIONS,
  PROTECTED_BEFORE,
  PROTECTED_NOW,
  type Surroundings,
} from "./ordinary-sessions.ts";

const counts = (given: Surroundings): readonly number[] =>
  ORDINARY_SESSIONS.map((session) => countQuestions(session, given));
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const before = counts({ hasSandbox: false, protectionReason: PROTECTED_BEFORE });

it("asks at most half as often in ten ordinary sessions with a sandbox", () => {
  const confined = counts({ hasSandbox: true, protectionReason: PROTECTED_NOW });
  expect(sum(confined)).toBeLessThanOrEqual(sum(before) / 2);
  expect(confined.filter((count, index) => count > (before[index] ?? 0))).toEqual([]);
});

it("asks as often as before in ten ordinary sessions without a sandbox", () => {
  expect(counts({ hasSandbox: false, protectionReason: PROTECTED_NOW })).toEqual(before);
});
