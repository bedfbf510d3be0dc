import { expect, it } from "vitest";
import { unwrapLines } from "../../../src/secrets/views/unwrap-lines.ts";

it.for([
  ["ghp_a1B2\nc3D4e5", "ghp_a1B2c3D4e5"],
  ["  ghp_a1B2  \r\n    c3D4e5", "  ghp_a1B2c3D4e5"],
  ["> ghp_a1B2\n> c3D4e5\n> f6G7h8", "> ghp_a1B2c3D4e5f6G7h8"],
  ["// ghp_a1B2\n// c3D4e5", "// ghp_a1B2c3D4e5"],
  [`"ghp_a1B2"\n  "c3D4e5"`, `"ghp_a1B2c3D4e5"`],
  ["the password\nis required", "the password\nis required"],
  ["see v2.1.0\nand v2.2.0", "see v2.1.0\nand v2.2.0"],
  ["ghp_a1B2\n\nc3D4e5", "ghp_a1B2\n\nc3D4e5"],
  ["ghp_a1B2,\nc3D4e5", "ghp_a1B2,\nc3D4e5"],
] as const)("unwrapLines reads %j as %j", ([text, expected]) => {
  expect(unwrapLines(text).text).toBe(expected);
});
