import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseLine } from "../../../src/permissions/shell/parse-line.ts";

const split = (line: string): readonly (readonly string[])[] | undefined =>
  parseLine(line)?.map(({ words }) => words.map(({ text }) => text));

it.for([
  ["git status", [["git", "status"]]],
  ["  ls\t-l  ", [["ls", "-l"]]],
  [
    "git log --oneline | head -5",
    [
      ["git", "log", "--oneline"],
      ["head", "-5"],
    ],
  ],
  [
    "pnpm test 2>&1 | tail -20",
    [
      ["pnpm", "test"],
      ["tail", "-20"],
    ],
  ],
  ["ls src 2>/dev/null && pwd", [["ls", "src"], ["pwd"]]],
  ["ls;", [["ls"]]],
  ["ls\n\n  pwd", [["ls"], ["pwd"]]],
  [`rg 'a|b; $(c)' src`, [["rg", "a|b; $(c)", "src"]]],
  [`rg "a|b\\.c" src`, [["rg", "a|b\\.c", "src"]]],
  [`echo a"b c"'d'\\;`, [["echo", "ab cd;"]]],
  ["git diff HEAD~3 HEAD^", [["git", "diff", "HEAD~3", "HEAD^"]]],
  ["find . ! -name x", [["find", ".", "!", "-name", "x"]]],
] as const)("splits %j", ([line, expected]) => {
  expect(split(line)).toEqual(expected);
});

it.for([
  "",
  "ls &",
  "ls |",
  "ls && && pwd",
  "ls > x",
  "ls 2> x",
  "cat < x",
  "echo $HOME",
  'echo "$HOME"',
  'echo "`id`"',
  "echo `id`",
  "echo $(id)",
  "echo {a,b}",
  "(ls)",
  "ls # x",
  "ls ~",
  "ls --x=~/a",
  "ls 'open",
  'ls "open',
  "ls \\\npwd",
  "ls\rpwd",
  `ls ${"a".repeat(5_000)}`,
])("does not guess what %j means", (line) => {
  expect(parseLine(line)).toBeUndefined();
});

it("finds the words that a shell finds", () => {
  const quotes = ["'", '"', "\\", "~", "!", "é", "="];
  const piece = fc.constantFrom("a", "b", " ", "  ", ";", "|", "&&", "-", "2>&1", "x y", ...quotes);
  const line = fc.array(piece, { maxLength: 8 }).map((all) => all.join(""));
  // Prints the words of each command; `p` runs whatever the line joins.
  const print = `p() { printf '%s\\0' "$@"; printf '\\1'; cat >/dev/null 2>&1 </dev/null; }; `;
  fc.assert(
    fc.property(line, (text) => {
      const simple = parseLine(`p ${text}`);
      if (simple?.length !== 1) return;
      const { stdout, status } = spawnSync("/bin/bash", ["-c", `${print}p ${text}`], {
        encoding: "utf8",
      });
      expect(status).toBe(0);
      const printed = simple[0]?.words.slice(1).map((word) => `${word.text}\0`) ?? [];
      expect(stdout).toBe(`${printed.length === 0 ? "\0" : printed.join("")}\u0001`);
    }),
    { numRuns: 150 },
  );
});
