import { describe, expect, it } from "vitest";
import { normalizeRemote, repositoryNames } from "../../src/project/shared-names.ts";
import { sha256Hex } from "../../src/store/sha256.ts";

describe("normalizeRemote", () => {
  it.each([
    ["git@github.com:acme/shop.git", "github.com/acme/shop"],
    ["https://github.com/Acme/Shop", "github.com/acme/shop"],
    ["https://me:token@github.com/acme/shop.git/", "github.com/acme/shop"],
    ["ssh://git@github.com:22/acme/shop.git", "github.com/acme/shop"],
    ["example.com:shop", "example.com/shop"],
    ["/srv/git/shop.git", undefined],
    ["../shop", undefined],
    ["file:///srv/git/shop.git", undefined],
    [String.raw`C:\git\shop`, undefined],
    ["C:/git/shop", undefined],
    ["", undefined],
  ])("names %s the same for all protocols: %s", (url, name) => {
    expect(normalizeRemote(url)).toBe(name);
  });
});

describe("repositoryNames", () => {
  const rootCommit = "a".repeat(40);
  const namesOf = (remote?: string): readonly string[] =>
    repositoryNames({ rootCommit, remote }, sha256Hex);

  it("tells forks apart by their remote, and starts with the name that includes it", () => {
    const [acme, before] = namesOf("git@github.com:acme/shop.git");
    const [fork] = namesOf("https://github.com/me/shop.git");
    expect(acme).toMatch(/^git:[0-9a-f]{16}:github\.com\/acme\/shop$/);
    expect(fork).not.toBe(acme);
    expect(namesOf()).toEqual([before]);
    expect(namesOf("/srv/git/shop.git")).toEqual([before]);
  });

  it("never contains a user name or a password, and fits into a column", () => {
    const [name] = namesOf(`https://me:secret@example.com/${"x".repeat(5_000)}`);
    expect(name).not.toContain("secret");
    expect(name?.length).toBeLessThan(200);
  });
});
