import { defaultSettings } from "@caliban/settings/node";
import { describe, expect, it } from "vitest";
import { secretValues, secretVariables } from "../../src/project/secret-variables.ts";

const URL = "postgres://me:horse@db.example.com/memory";
const settings = (variable: string | undefined): ReturnType<typeof defaultSettings> => {
  const own = defaultSettings();
  return { ...own, trusted: { ...own.trusted, "memory.postgres_url_variable": variable } };
};

describe("secretVariables", () => {
  it("includes the variable with the URL of the database, if the user has named one", () => {
    expect(secretVariables(settings("TEAM_MEMORY"))).toContain("TEAM_MEMORY");
    expect(secretVariables(settings("TEAM_MEMORY"))).toContain("ANTHROPIC_API_KEY");
    expect(secretVariables(settings(undefined))).not.toContain("TEAM_MEMORY");
  });
});

describe("secretValues", () => {
  it("contains the URL and its credentials, longest first", () => {
    const env = { TEAM_MEMORY: ` ${URL}\n`, ANTHROPIC_API_KEY: "sk-12345678" };
    expect(secretValues(settings("TEAM_MEMORY"), env)).toEqual([URL, "sk-12345678", "me:horse"]);
    expect(secretValues(settings(undefined), env)).toEqual(["sk-12345678"]);
  });
});
