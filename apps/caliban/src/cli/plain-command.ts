import type { RunCommand } from "../command.ts";
import { COMMANDS, GLOBAL_OPTIONS, loadDefaultCommand } from "./command-table.ts";
import type { CommandRow, OptionRow } from "./command-row.ts";
import { CONVERSATION_OPTIONS } from "./conversation-options.ts";
import { optionShape } from "./option-row.ts";
import type { ParsedCommandLine } from "./parse.ts";
import { type OptionValues, readOptions, strayOption } from "./read-options.ts";

type Run = ParsedCommandLine & { readonly kind: "run" };

/**
 * What a command line in its usual form means: command names, options spelled out, a message. `undefined` for
 * anything else, mistakes above all: the parser for the rest takes longer to load than most commands to run.
 */
export function plainCommand(argv: readonly string[]): Run | undefined {
  const { rows, words } = leadingCommands(argv);
  const row = rows.at(-1);
  // What takes operands is the parser's to read.
  if (row?.operands?.startsWith("<") === true) return undefined;
  const values = readWords(words, [
    ...GLOBAL_OPTIONS,
    ...CONVERSATION_OPTIONS,
    ...rows.slice(-1).flatMap(({ options = [] }) => options),
  ]);
  if (values === undefined) return undefined;
  const { options, operands } = values;
  const isPlain = row === undefined ? isMessage(options, operands) : operands.length === 0;
  if (!isPlain || (row !== undefined && strayOption(options, rows[0]?.name ?? "") !== undefined))
    return undefined;
  return { kind: "run", load: loadOf(row), ...readOptions(options, operands) };
}

function loadOf(row: CommandRow | undefined): () => Promise<RunCommand> {
  return row === undefined ? loadDefaultCommand : row.load;
}

/** Command names that stand at the very beginning. */
function leadingCommands(argv: readonly string[]): {
  readonly rows: readonly CommandRow[];
  readonly words: readonly string[];
} {
  const rows: CommandRow[] = [];
  let below: readonly CommandRow[] = COMMANDS;
  for (const word of argv) {
    const row = below.find(({ name }) => name === word);
    if (row === undefined) break;
    rows.push(row);
    below = row.subcommands ?? [];
  }
  return { rows, words: argv.slice(rows.length) };
}

/** One message with a space in it; behind `-p`, nothing: several words, one of which may be a command, are rare. */
function isMessage(options: OptionValues, operands: readonly string[]): boolean {
  const [first, ...more] = operands;
  if (first === undefined) return true;
  return more.length === 0 && /\s/.test(first) && options["print"] !== "";
}

interface ReadWords {
  readonly options: OptionValues;
  readonly operands: readonly string[];
}

function readWords(words: readonly string[], rows: readonly OptionRow[]): ReadWords | undefined {
  const options: Record<string, string | boolean | readonly string[]> = defaultsOf(rows);
  const operands: string[] = [];
  let index = 0;
  while (index < words.length) {
    const word = words[index] ?? "";
    if (!word.startsWith("-")) {
      operands.push(word);
      index += 1;
      continue;
    }
    const read = readOption(words.slice(index, index + 2), rows);
    if (read === undefined || !isFresh(options, read)) return undefined;
    const { name, row, value } = read;
    options[name] = row.repeatable === true ? [...listOf(options[name]), String(value)] : value;
    index += read.taken;
  }
  return { options, operands };
}

interface ReadOption {
  readonly row: OptionRow;
  readonly name: string;
  readonly value: string | boolean;
  readonly taken: 1 | 2;
}

/** The first word with what belongs to it. */
function readOption(
  [word = "", next]: readonly string[],
  rows: readonly OptionRow[],
): ReadOption | undefined {
  const row = rows.find((candidate) => {
    const { long, short } = optionShape(candidate);
    return word === long || word === short;
  });
  if (row === undefined) return undefined;
  const { name, value, isNegated } = optionShape(row);
  if (value === "none") return { row, name, value: !isNegated, taken: 1 };
  // A value that looks like an option, or an empty one, is the parser's to judge.
  const isValue = next !== undefined && next !== "" && !next.startsWith("-");
  if (isValue) return { row, name, value: next, taken: 2 };
  const isLeftOut = value === "optional" && (next === undefined || /^--?[a-z]/.test(next));
  return isLeftOut ? { row, name, value: true, taken: 1 } : undefined;
}

/** Only lists are given twice. */
function isFresh(options: OptionValues, { name, row }: ReadOption): boolean {
  const before = options[name];
  return before === undefined || row.repeatable === true || before === true;
}

function defaultsOf(rows: readonly OptionRow[]): Record<string, boolean> {
  const negated = rows.map(optionShape).filter(({ isNegated }) => isNegated);
  return Object.fromEntries(negated.map(({ name }) => [name, true]));
}

function listOf(value: OptionValues[string]): readonly string[] {
  return Array.isArray(value) ? value : [];
}
