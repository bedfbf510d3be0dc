import { describe, expect, it } from "vitest";
import {
  bubblewrapArguments,
  type BubblewrapInput,
  parseBubblewrapVersion,
} from "../../src/sandbox/bubblewrap.ts";
import { type PathRule, sortRules } from "../../src/sandbox/sandbox-policy.ts";

const rule = (
  path: string,
  access: PathRule["access"],
  kind: PathRule["kind"] = "directory",
): PathRule => ({ path, kind, access });

function argumentsFor(rules: readonly PathRule[], change: Partial<BubblewrapInput> = {}): string {
  const args = bubblewrapArguments({
    policy: {
      rules: sortRules(rules),
      protectedRoots: [],
      temporaryDirectory: "/t",
      directory: "/home/me/app",
      network: { kind: "off" },
    },
    features: { permissions: true, disableUserNamespaces: true },
    unreadableFile: "/u",
    reportsStatus: true,
    runDirectories: [],
    ...change,
  });
  return args.join(" ");
}

const mounts = (rules: readonly PathRule[]): string =>
  /--bind \/t \/tmp (.*)--chdir/.exec(argumentsFor(rules))?.[1]?.trim() ?? "";

describe("the arguments of bubblewrap", () => {
  it("give a command its own namespaces, no capabilities, and a read-only system", () => {
    expect(argumentsFor([])).toBe(
      "--unshare-all --unshare-user --cap-drop ALL --disable-userns --die-with-parent --json-status-fd 3 --ro-bind / / --dev /dev --proc /proc --remount-ro /proc --tmpfs /run --bind /t /tmp --chdir /home/me/app --",
    );
  });

  it("mount directories before what is below them, and hide files with an unreadable one", () => {
    expect(
      mounts([
        rule("/home/me/app/.git/hooks", "read"),
        rule("/home/me/app", "write"),
        rule("/home/me/.netrc", "hidden", "file"),
        rule("/home/me/.ssh", "hidden"),
      ]),
    ).toBe(
      "--bind-try /home/me/app /home/me/app --ro-bind /u /home/me/.netrc --perms 0000 --tmpfs /home/me/.ssh --ro-bind-try /home/me/app/.git/hooks /home/me/app/.git/hooks",
    );
  });

  it("leave a way to what is visible below a hidden directory", () => {
    expect(mounts([rule("/home/me/.claude", "hidden"), rule("/home/me/.claude/w", "read")])).toBe(
      "--perms 0111 --tmpfs /home/me/.claude --ro-bind-try /home/me/.claude/w /home/me/.claude/w",
    );
  });

  it("leave out what changes nothing, such as a secret in a directory that is covered anyway", () => {
    expect(
      mounts([
        rule("/home/me/app", "read"),
        rule("/home/me/.claude", "hidden"),
        rule("/home/me/.claude/key", "hidden", "file"),
        rule("/tmp/key", "hidden", "file"),
      ]),
    ).toBe("--perms 0000 --tmpfs /home/me/.claude");
    expect(mounts([rule("/tmp/app", "read")])).toBe("--ro-bind-try /tmp/app /tmp/app");
  });

  it("use only what the installed version knows", () => {
    const old = argumentsFor([rule("/home/me/.ssh", "hidden")], {
      features: { permissions: false, disableUserNamespaces: false },
    });
    expect(old).not.toContain("--disable-userns");
    expect(old).toContain("ALL --die-with-parent");
    expect(old).toContain("/tmp --tmpfs /home/me/.ssh");
    expect(parseBubblewrapVersion("bubblewrap 0.4.1")).toEqual({
      permissions: false,
      disableUserNamespaces: false,
    });
    expect(parseBubblewrapVersion("bubblewrap 0.6.1")?.permissions).toBe(true);
    expect(parseBubblewrapVersion("bubblewrap 0.11.0")?.disableUserNamespaces).toBe(true);
    expect(parseBubblewrapVersion("bubblewrap 1.0")?.disableUserNamespaces).toBe(true);
    expect(parseBubblewrapVersion("something else")).toBeUndefined();
  });
});
