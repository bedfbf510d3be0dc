import { expect, it } from "vitest";
import { completeSettings, DEFAULT_SETTINGS } from "../../src/prompt/settings.ts";

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
