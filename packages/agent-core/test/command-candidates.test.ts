import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandCandidates, launcherOf } from "../src/command-candidates.ts";
import { matchesPatternFrom } from "../src/match-pattern.ts";

const catches = (pattern: string, command: string): boolean =>
  commandCandidates(command).some(({ text, starts }) => matchesPatternFrom(pattern, text, starts));

describe("commandCandidates", () => {
  const before = fc.constantFrom(
    "sudo ",
    "sudo -u root -- ",
    "A=1 ",
    "A='x y' ",
    "env -i B=2 ",
    "command ",
    "nohup ",
    "time -p ",
    "timeout --signal 9 5 ",
    "ls | xargs -n 1 ",
    "find . -exec ",
    "bash -c '",
    '/bin/sh -c "',
    "ls; ",
    "if a; then ",
    "! ",
    "2>/dev/null ",
    "(",
  );
  const spelling = fc.constantFrom(
    "rm x",
    "rm  x",
    "/bin/rm x",
    "../rm x",
    'r""m x',
    "r\\m x",
    '"rm" x',
    "r\\\nm x",
    "rm \\\n x",
    "rm\tx",
    "rm>y x",
  );

  it("have a command in them whatever it is put behind, and however it is spelt", () => {
    const hidden = fc.tuple(fc.array(before, { maxLength: 3 }), spelling);
    fc.assert(
      fc.property(hidden, ([words, command]) => {
        expect(catches("rm *", `${words.join("")}${command}`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.for(["sudo ", "a=1 ", "rm ", ";", "/", ">", "1", '"', "a=", "sudo a/"])(
    "of a command that is very many times %j are looked through in no time",
    (piece) => {
      const started = performance.now();
      expect(catches("rm *no*such", `sudo ${piece.repeat(50_000)}`)).toBe(false);
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );
});

describe("launcherOf", () => {
  it.for([
    ["git status", undefined],
    ["sudoku x", undefined],
    ["x=", "x="],
    ["FOO=1 git", "FOO="],
    ["a[1]+=2 git", "a[1]+="],
    ["sudo git", "sudo"],
    ["  'su'do git", "sudo"],
    ["/usr/bin/env git", "/usr/bin/env"],
    ["--x=1", undefined],
    ["", undefined],
  ] as const)("of %j is %j", ([command, expected]) => {
    expect(launcherOf(command)).toBe(expected);
  });
});
