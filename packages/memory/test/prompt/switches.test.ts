import { expect, it } from "vitest";
import { readSwitches } from "../../src/prompt/switches.ts";

it("leaves the walk on and approvals to people", () => {
  expect(readSwitches({})).toEqual({
    approveImports: false,
    walk: true,
    additionalInstructions: false,
  });
});

it("reads each variable", () => {
  const env = {
    CALIBAN_APPROVE_IMPORTS: "1",
    CALIBAN_DISABLE_CLAUDE_MD_WALK: "yes",
    CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "on",
  };
  expect(readSwitches(env)).toEqual({
    approveImports: true,
    walk: false,
    additionalInstructions: true,
  });
});

it("refuses a word that is neither yes nor no, by its name", () => {
  expect(() => readSwitches({ CALIBAN_APPROVE_IMPORTS: "perhaps" })).toThrowError(
    expect.objectContaining({
      code: "INVALID_ENVIRONMENT",
      message: expect.stringMatching(/^CALIBAN_APPROVE_IMPORTS: must be .*not "perhaps"$/),
    }),
  );
});
