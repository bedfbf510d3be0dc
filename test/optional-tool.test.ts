import { expect, it } from "vitest";
import { hasTool } from "./support/optional-tool.ts";

const missing = async (): Promise<never> => {
  throw new Error("no build for this platform");
};

it("skips the tests of a tool that cannot be loaded, unless CALIBAN_REQUIRE names it", async () => {
  expect(await hasTool("workerd", async () => undefined, {})).toBe(true);
  expect(await hasTool("workerd", missing, { CALIBAN_REQUIRE: "postgres" })).toBe(false);
  await expect(
    hasTool("workerd", missing, { CALIBAN_REQUIRE: "postgres, workerd" }),
  ).rejects.toThrow("CALIBAN_REQUIRE names workerd");
});
