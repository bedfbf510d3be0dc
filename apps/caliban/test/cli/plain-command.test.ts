import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { OptionRow } from "../../src/cli/command-row.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../../src/cli/command-table.ts";
import { CONVERSATION_OPTIONS } from "../../src/cli/conversation-options.ts";
import { optionShape } from "../../src/cli/option-row.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { plainCommand } from "../../src/cli/plain-command.ts";

const names = COMMANDS.flatMap(({ name, subcommands = [] }) =>
  [[name]].concat(subcommands.map((row) => [name, row.name])),
);

/** What both say, with the command itself in the place of what loads it. */
function bothMeanings(argv: readonly string[]): {
  readonly plain: unknown;
  readonly full: unknown;
} {
  const full = parseCommandLine(argv, "1.2.3");
  return { plain: plainCommand(argv), full: full.kind === "run" ? full : undefined };
}

it.for([[], ...names])("means by %j what the parser means", (argv) => {
  const { plain, full } = bothMeanings(argv);
  // What needs operands is the parser's to refuse.
  expect(plain).toEqual(full);
});

it.for([
  [["-p", "fix the tests"]],
  [["-p", "memory"]],
  [["--print", "x", "--output-format", "json", "--no-save"]],
  [["fix the tests"]],
  [["--model", "a/b", "fix the tests"]],
  [["-c"]],
  [["-r", "abc"]],
  [["--bare", "-p"]],
  [["memory", "--json"]],
  [["prompt", "--system", "x", "--bare"]],
  [["--allow", "a.b", "-p", "x", "--allow", "c.d", "--add-dir", "/a"]],
] as const)("reads %j without the parser, and as the parser does", ([argv]) => {
  const { plain, full } = bothMeanings(argv);
  expect(plain).toBeDefined();
  expect(plain).toEqual(full);
});

it.for([
  ["memry"],
  ["settings", "set"],
  ["memory", "explain", "x"],
  ["memory", "-p", "x"],
  ["help"],
  ["-h"],
  ["x", "memory"],
  ["-p", "x", "--version"],
  ["-px"],
  ["-cp", "x"],
  ["--", "x"],
  ["--model"],
  ["--model", "--bare"],
  ["-p", ""],
  ["-p", "a", "-p", "b"],
  ["-p", "a", "memory"],
  ["--workspace", "/w", "memory"],
])("leaves %j to the parser", (argv) => {
  expect(plainCommand(argv)).toBeUndefined();
});

const WORDS = `
  - -- -1 -p -c -r -h -V x memory prompt help list --json --print=x --no-save --bare --model --modle --limit
`;
const word = fc.constantFrom("", "two words", "-x y", ...WORDS.trim().split(/\s+/));

const option = (row: OptionRow): fc.Arbitrary<readonly string[]> => {
  const { long, short, value } = optionShape(row);
  const flag = fc.constantFrom(...(short === undefined ? [long] : [long, short]));
  const needed = fc.tuple(flag, fc.constantFrom("x", "two words", "memory", "a/b"));
  const alone = flag.map((text) => [text]);
  if (value === "none") return alone;
  return value === "required" ? needed : fc.oneof(needed, alone);
};

const options = fc
  .array(fc.oneof(...[...GLOBAL_OPTIONS, ...CONVERSATION_OPTIONS].map(option)), { maxLength: 4 })
  .map((parts) => parts.flat());
const wellFormed = fc
  .tuple(fc.constantFrom([], [], ["two words"], ["prompt"], ["memory", "list"]), options)
  .chain(([words, flags]) => fc.constantFrom([...words, ...flags], [...flags, ...words]));

it("never means anything else than the parser", () => {
  const line = fc.oneof(wellFormed, fc.array(word, { maxLength: 5 }));
  const isSame = fc.property(line, (argv) => {
    const { plain, full } = bothMeanings(argv);
    return plain === undefined || isDeepStrictEqual(plain, full);
  });
  expect(fc.check(isSame, { numRuns: 600 })).toMatchObject({ failed: false });
});

it("reads most lines in their usual form", () => {
  const lines = fc.sample(wellFormed, { numRuns: 100, seed: 1 });
  expect(lines.filter((argv) => plainCommand(argv) !== undefined).length).toBeGreaterThan(30);
});
