import { describe, expect, it } from "vitest";
import { sortRules, type PathRule, type SandboxPolicy } from "../../src/sandbox/sandbox-policy.ts";
import { seatbeltProfile } from "../../src/sandbox/seatbelt.ts";

const rule = (path: string, access: PathRule["access"]): PathRule => ({
  path,
  kind: "directory",
  access,
});

const POLICY: SandboxPolicy = {
  rules: sortRules([
    rule("/Users/me/.ssh", "hidden"),
    rule("/Users/me/app", "write"),
    rule("/Users/me/app/.git/hooks", "read"),
  ]),
  protectedRoots: ["/Users/me/app"],
  temporaryDirectory: "/private/tmp/caliban-x/tmp",
  directory: "/Users/me/app",
  network: { kind: "off" },
};

const lines = (policy: Partial<SandboxPolicy> = {}): readonly string[] =>
  seatbeltProfile({ ...POLICY, ...policy })
    .split("\n")
    .filter((line) => /^\((?:allow|deny) (?:file|network)/.test(line) && !line.includes("regex"));

describe("a Seatbelt profile", () => {
  it("denies by default, then allows and denies paths from the outside in", () => {
    expect(seatbeltProfile(POLICY)).toMatch(/^\(version 1\)\n\(deny default\)\n/);
    expect(lines()).toEqual([
      "(allow file-read*)",
      "(allow file-ioctl)",
      "(allow file-write-data",
      '(deny file-read* file-write* (subpath "/Users/me/.ssh"))',
      '(allow file-read* file-write* (subpath "/Users/me/app"))',
      '(allow file-read* (subpath "/Users/me/app/.git/hooks"))',
      '(deny file-write* (subpath "/Users/me/app/.git/hooks"))',
      '(deny file-write-unlink (literal "/Users/me/app"))',
      '(deny file-write-unlink (literal "/Users/me/app/.git"))',
      '(allow file-write* (subpath "/private/tmp/caliban-x/tmp"))',
      '(allow network-bind (local unix-socket (subpath "/private/tmp/caliban-x/tmp")))',
      '(allow network-outbound (remote unix-socket (subpath "/private/tmp/caliban-x/tmp")))',
      '(allow network-bind (local unix-socket (subpath "/Users/me/app")))',
      '(allow network-outbound (remote unix-socket (subpath "/Users/me/app")))',
    ]);
  });

  it("allows no other network than the proxy", () => {
    const proxied = lines({ network: { kind: "proxy", port: 4711, directHosts: [] } });
    expect(proxied.at(-1)).toBe('(allow network-outbound (remote ip "localhost:4711"))');
  });

  it("leaves a way to what is visible below a hidden directory", () => {
    const rules = [rule("/Users/me/.claude", "hidden"), rule("/Users/me/.claude/w/a", "read")];
    expect(lines({ rules })).toContain(
      '(allow file-read-metadata (literal "/Users/me/.claude/w"))',
    );
  });

  it("escapes quotes and backslashes in paths", () => {
    const rules = [rule('/a"b\\c', "hidden")];
    expect(lines({ rules, protectedRoots: [] })).toContain(
      String.raw`(deny file-read* file-write* (subpath "/a\"b\\c"))`,
    );
  });

  it.for([
    ["/Users/me/app/.envrc", true],
    ["/Users/me/app/deep/.ENVRC", true],
    ["/Users/me/app/.vscode", true],
    ["/Users/me/app/a/.vscode/tasks.json", true],
    ["/Users/me/app/a/.git/config", true],
    ["/Users/me/app/.git/index", false],
    ["/Users/me/app/envrc", false],
    ["/Users/me/app/x.vscode/a", false],
    ["/Users/me/app2/.envrc", false],
  ] as const)("decides about the name of %s: protected %s", ([path, isProtected]) => {
    const patterns = Array.from(
      seatbeltProfile(POLICY).matchAll(/regex #"(.*)"\)\)$/gm),
      ([, pattern = ""]) => new RegExp(pattern),
    );
    expect(patterns.some((pattern) => pattern.test(path))).toBe(isProtected);
  });
});
