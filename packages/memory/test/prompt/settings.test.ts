import { expect, it } from "vitest";
import { completeSettings, DEFAULT_SETTINGS, readSwitches } from "../../src/prompt/settings.ts";

it("takes what is missing or undefined as by default", () => {
  expect(completeSettings()).toEqual(DEFAULT_SETTINGS);
  const nothing = { autoMemory: undefined, ceilingTokens: undefined, excludes: undefined };
  expect(completeSettings(nothing)).toEqual(DEFAULT_SETTINGS);
  expect(completeSettings({ ceilingTokens: 5, capTokensAuto: undefined })).toMatchObject({
    ceilingTokens: 5,
  });
});

it.for([0, -1, 1.5, Number.NaN, Infinity, 2 ** 60])("refuses %j tokens", (value) => {
  expect(() => completeSettings({ capTokensAuto: value })).toThrowError(
    expect.objectContaining({
      code: "INVALID_SETTINGS",
      message: `capTokensAuto must be a whole number above 0, not ${value}`,
    }),
  );
});

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
