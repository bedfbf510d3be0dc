import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  GIT_PUSH_SPELLINGS,
  LAUNCHED_SPELLINGS,
  LAUNCHERS,
} from "../../../../../test/attack/deny-spellings.ts";
import {
  matchesAllowedCommand,
  matchesDeniedCommand,
} from "../../../src/permissions/shell/match-command.ts";

const OPENINGS = ["sudo ", "{", "git -c 'a"];

// The parts by which launchers and spellings are recognized.
const PIECES: readonly string[] = [
  ["sudo ", "a=1 ", "rm ", ";", "/", ">", "1", '"', "a=", "sudo a/", "a", " ", "\n"],
  ["$x ", "${x}", "${x:-", "${", "$(", "$[", "`", "{a,b} ", "{a,", "{", "a,}", "{a..b}", "a.."],
  ["git -c a ", 'git -c "', "git ", "git -", "-c ", "-", "- ", "-S=/", "docker run ", "run "],
  ["x/a? ", "a?", "/*", "[", "[a] ", "x/?[a]*b*c*d* ", "*"],
].flat();

describe("matchesDeniedCommand", () => {
  const before = fc.constantFrom(...LAUNCHERS);
  const spelling = fc.constantFrom(...LAUNCHED_SPELLINGS);

  it("finds a command behind any launcher and in any spelling", () => {
    const hidden = fc.tuple(fc.array(before, { maxLength: 3 }), spelling);
    fc.assert(
      fc.property(hidden, ([words, command]) => {
        expect(matchesDeniedCommand("rm *", `${words.join("")}${command}`)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  // Quadratic work would take minutes for commands of this length.
  it("finishes for very long repetitive commands", { timeout: 60_000 }, () => {
    const piece = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.constantFrom(...OPENINGS), piece, (opening, repeated) => {
        const command = `${opening}${repeated.repeat(128_000 / repeated.length)}`;
        expect(matchesDeniedCommand("rm *no*such", command)).toBe(false);
      }),
      { numRuns: process.env["FULL"] === "1" ? 1_000 : 30 },
    );
  });
});

describe("any command", () => {
  const piece = fc.constantFrom(
    ...PIECES,
    "$'\\x72'",
    "<<EOF",
    "'",
    "\\",
    "a=rm;$a x",
    "case a in ",
  );
  const command = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));

  it("denies a command whatever comes after it", () => {
    fc.assert(
      fc.property(command, (text) => {
        expect(matchesDeniedCommand("rm *", `rm x; ${text}`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("allows no second command with a pattern for the first", () => {
    fc.assert(
      fc.property(command, fc.constantFrom(";", "|", "&", "\n", "`", "$("), (text, separator) => {
        expect(matchesAllowedCommand("ls *", `ls ${text}${separator}rm x`)).toBe(false);
      }),
    );
  });
});

describe("a deny rule for a git subcommand", () => {
  it.for(GIT_PUSH_SPELLINGS)("matches the deny pattern git push* against %j", (command) => {
    expect(matchesDeniedCommand("git push*", command)).toBe(true);
  });

  it.for([
    "git status",
    "git -C push status",
    "git -c push=1 log",
    "git log --grep push",
    "agit push",
  ])("does not match the deny pattern git push* against %j", (command) => {
    expect(matchesDeniedCommand("git push*", command)).toBe(false);
  });

  it("matches a deny pattern that names git options", () => {
    expect(matchesDeniedCommand("git -C*", "git -C dir status")).toBe(true);
  });
});

describe("a deny rule for rm", () => {
  it.for([
    "docker ps",
    "docker rm x",
    "pnpm test",
    "npm run build",
    "ls *",
    "ls r?",
    "for f in *; do echo $f; done",
    "for f in /tmp/*; do echo $f; done",
    "find . -name '*.ts'",
    "find . -name 'r*'",
    "xargs grep -rn '[a-z]*'",
    "[ -f rm ]",
    "[[ -f rm ]]",
    "/bin/l? x",
    "/bin/[r]mdir x",
    "echo {rm,x}",
    "git commit -m 'rm x'",
    "gcc -form x",
    "trap - EXIT",
  ])("does not match the deny pattern rm * against %j", (command) => {
    expect(matchesDeniedCommand("rm *", command)).toBe(false);
  });

  it.for([
    ["rm", "/bin/r?", true],
    ["rm", "/bin/r? x", false],
    ["rm*", "/bin/r? x", true],
    ["r*f x", "/bin/[r]mf -f x", true],
    ["rm -rf*", "/bin/r? -rf x", true],
    ["rm -rf*", "/bin/r? -f x", false],
    ["rm *", `/bin/${"[ab]".repeat(300)} x`, true],
  ] as const)("matches the deny pattern %j against %j: %s", ([pattern, command, expected]) => {
    expect(matchesDeniedCommand(pattern, command)).toBe(expected);
  });
});
