import { expect, it } from "vitest";
import { scoreText } from "../../client/parts/format.ts";

it.for([
  [8013.848, "8013.85"],
  [0.1, "0.10"],
  [0.0016, "0.0016"],
  [0.001_64, "0.0016"],
  [-0.02, "-0.02"],
  [0, "0.00"],
] as const)("writes the score %f as %s", ([score, text]) => {
  expect(scoreText(score)).toBe(text);
});
