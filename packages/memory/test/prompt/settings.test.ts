import { expect, it } from "vitest";
import { completeSettings, DEFAULT_SETTINGS, readFlags } from "../../src/prompt/settings.ts";

it("uses the default of every setting that is missing or undefined", () => {
  expect(completeSettings()).toEqual(DEFAULT_SETTINGS);
  const nothing = { autoMemory: undefined, ceilingTokens: undefined, excludes: undefined };
  expect(completeSettings(nothing)).toEqual(DEFAULT_SETTINGS);
  expect(completeSettings({ ceilingTokens: 5, capTokensAuto: undefined })).toMatchObject({
    ceilingTokens: 5,
  });
});

it.for([0, -1, 1.5, Number.NaN, Infinity, 2 ** 60])("rejects %j as a token count", (value) => {
  expect(() => completeSettings({ capTokensAuto: value })).toThrowError(
    expect.objectContaining({
      code: "INVALID_SETTINGS",
      message: `capTokensAuto must be a positive integer, not ${value}`,
    }),
  );
});

it("leaves the walk on and asks about external imports by default", () => {
  expect(readFlags({})).toEqual({
    approveImports: false,
    walk: true,
    additionalInstructions: false,
  });
});

it("reads each flag from its environment variable", () => {
  const env = {
    CALIBAN_APPROVE_IMPORTS: "1",
    CALIBAN_DISABLE_CLAUDE_MD_WALK: "yes",
    CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "on",
  };
  expect(readFlags(env)).toEqual({
    approveImports: true,
    walk: false,
    additionalInstructions: true,
  });
});

it("rejects a flag that is neither yes nor no and names the variable", () => {
  expect(() => readFlags({ CALIBAN_APPROVE_IMPORTS: "perhaps" })).toThrowError(
    expect.objectContaining({
      code: "INVALID_ENVIRONMENT",
      message: expect.stringMatching(/^CALIBAN_APPROVE_IMPORTS: must be .*not "perhaps"$/),
    }),
  );
});
