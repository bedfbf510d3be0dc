import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import {
  type CommandRow,
  type OptionRow,
  type OptionShape,
  optionShape,
} from "./table/command-row.ts";
import { COMMANDS } from "./table/commands.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "./table/options.ts";

/** An option as given. The row is missing for an option that does not exist. */
export interface GivenOption {
  readonly typed: string;
  readonly row: OptionRow | undefined;
  readonly value: string | undefined;
  /** Whether the value came after `=`, so that it cannot be an option taken by mistake. */
  readonly isInline: boolean;
}

export interface Word {
  readonly text: string;
  /** After `-p` or `--`, a word is never the name of a command. */
  readonly isText: boolean;
}

export interface CommandLineTokens {
  readonly options: readonly GivenOption[];
  readonly words: readonly Word[];
}

/** Splits a command line into options and words, by the options of the command table. */
export function readTokens(argv: readonly string[]): CommandLineTokens {
  const options: GivenOption[] = [];
  const words: Word[] = [];
  let isText = false;
  const { tokens } = parseArgs({
    args: argv.flatMap((_, index) => attachOptionalValue(argv, index)).map(hideNumber),
    options: PARSE_OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "positional") words.push({ text: showNumber(token.value), isText });
    else if (token.kind === "option-terminator") isText = true;
    else {
      const row = ROWS_BY_NAME.get(token.name);
      isText ||= row !== undefined && optionShape(row).name === "print";
      options.push({
        typed: token.rawName,
        row,
        value: token.value === undefined ? undefined : showNumber(token.value),
        isInline: token.inlineValue === true,
      });
    }
  }
  return { options, words };
}

/** No argument contains it. */
const MARK = "\0";

/** `parseArgs` would take a negative number for options. */
function hideNumber(word: string): string {
  return /^-\d/.test(word) ? `${MARK}${word}` : word;
}

function showNumber(word: string): string {
  return word.startsWith(MARK) ? word.slice(MARK.length) : word;
}

/** Every option of every command. An option takes a value everywhere or nowhere, which a test checks. */
export const ALL_OPTIONS: readonly OptionRow[] = [
  ...GLOBAL_OPTIONS,
  ...CONVERSATION_OPTIONS,
  ...COMMANDS.flatMap(optionsOf),
];

/** The options of a command and of those below it. */
function optionsOf({ options = [], subcommands = [] }: CommandRow): readonly OptionRow[] {
  return [...options, ...subcommands.flatMap(optionsOf)];
}

const ROWS_BY_NAME: ReadonlyMap<string, OptionRow> = new Map(
  ALL_OPTIONS.toReversed().map((row) => [optionShape(row).long.slice(2), row]),
);

const PARSE_OPTIONS: ParseArgsOptionsConfig = Object.fromEntries(
  [...ROWS_BY_NAME].map(([name, row]) => {
    const { short, value } = optionShape(row);
    const type = value === "required" ? "string" : "boolean";
    return [name, short === undefined ? { type } : { type, short: short.slice(1) }];
  }),
);

const OPTIONAL_VALUE = CONVERSATION_OPTIONS.map(optionShape).filter(
  ({ value }) => value === "optional",
);

/** `parseArgs` has no optional values, so `-p text` and `-ptext` become `--print=text`. */
function attachOptionalValue(argv: readonly string[], index: number): readonly string[] {
  const word = argv[index] ?? "";
  const terminator = argv.indexOf("--");
  if (terminator !== -1 && index >= terminator) return [word];
  if (optionalValueOption(word) !== undefined && isValue(argv[index + 1])) return [];
  const before = optionalValueOption(argv[index - 1]);
  if (before !== undefined && isValue(word)) return [`${before.long}=${word}`];
  const joined = OPTIONAL_VALUE.find(
    ({ short }) => short !== undefined && word.startsWith(short) && word.length > short.length,
  );
  return joined === undefined ? [word] : [`${joined.long}=${word.slice(2)}`];
}

function optionalValueOption(word: string | undefined): OptionShape | undefined {
  return OPTIONAL_VALUE.find(({ long, short }) => word === long || word === short);
}

/** A word with a space is a value even if it begins with a dash: a message may be a list. */
function isValue(word: string | undefined): boolean {
  return word !== undefined && (!word.startsWith("-") || /^-(?!-print=).*\s/s.test(word));
}
