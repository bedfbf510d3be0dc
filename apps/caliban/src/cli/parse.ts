import { nearest } from "@caliban/common";
import type { Invocation } from "../command.ts";
import { commandName } from "./command-name.ts";
import type { CommandRow, OptionRow } from "./table/command-row.ts";
import { COMMANDS } from "./table/commands.ts";
import { CONVERSATION_OPTIONS } from "./table/conversation-options.ts";
import { GLOBAL_OPTIONS } from "./table/global-options.ts";
import { optionShape } from "./table/option-shape.ts";
import { ALL_OPTIONS, type GivenOption, readTokens, type Word } from "./tokens.ts";

/** What to run, or what to print instead. The path has the named commands, outermost first; none for a conversation. */
export type ParsedCommandLine =
  | ({ readonly kind: "run"; readonly path: readonly CommandRow[] } & Omit<Invocation, "host">)
  | { readonly kind: "help"; readonly path: readonly CommandRow[] }
  | { readonly kind: "version" }
  | {
      readonly kind: "usage-error";
      readonly message: string;
      readonly path: readonly CommandRow[];
    };

/** Parses a command line by the command table. Runs and prints nothing. */
export function parseCommandLine(argv: readonly string[]): ParsedCommandLine {
  // As everywhere, `help memory write` means `memory write --help`.
  if (argv[0] === "help") return parseCommandLine([...argv.slice(1), "--help"]);
  const line = readTokens(argv);
  const path = commandPath(line.words);
  const words = line.words.slice(path.length);
  if (line.options.some(({ row }) => row === HELP_ROW)) return helpFor(path, words);
  if (line.options.some(({ row }) => row === VERSION_ROW)) return { kind: "version" };
  const message = optionProblem(line.options, path) ?? operandProblem(path, words);
  if (message !== undefined) return { kind: "usage-error", message, path };
  const operands = words.map(({ text }) => text);
  return { kind: "run", path, ...toInvocation(optionValues(line.options), operands) };
}

const HELP_ROW = GLOBAL_OPTIONS.find(({ flags }) => flags === "-h, --help");
const VERSION_ROW = GLOBAL_OPTIONS.find(({ flags }) => flags === "-V, --version");

/** The commands that the first words name. */
function commandPath(words: readonly Word[]): readonly CommandRow[] {
  const path: CommandRow[] = [];
  let rows: readonly CommandRow[] = COMMANDS;
  for (const { text, isText } of words) {
    const row = isText
      ? undefined
      : rows.find(({ name, aliases = [] }) => name === text || aliases.includes(text));
    if (row === undefined) break;
    path.push(row);
    rows = row.subcommands ?? [];
  }
  return path;
}

/** A mistyped command is an error with help, too: otherwise `help memroy` would show something else. */
function helpFor(path: readonly CommandRow[], words: readonly Word[]): ParsedCommandLine {
  const [word] = words;
  const takesWords = path.length > 0 && path.at(-1)?.subcommands === undefined;
  if (word === undefined || word.isText || takesWords || /\s/.test(word.text))
    return { kind: "help", path };
  return { kind: "usage-error", message: unknownWord(path, word.text), path };
}

function optionProblem(
  options: readonly GivenOption[],
  path: readonly CommandRow[],
): string | undefined {
  for (const { typed, row, value, isInline } of options) {
    if (row === undefined || !isAccepted(row, path)) return refuseOption(typed, row, path);
    const { long, value: kind } = optionShape(row);
    const isMissing = value === undefined || (!isInline && isOption(value));
    if (kind === "required" && isMissing) return `${long} requires a value: ${row.flags}`;
    if (kind === "none" && value !== undefined) return `${long} does not take a value`;
  }
  return undefined;
}

function isOption(text: string): boolean {
  return ALL_OPTIONS.map(optionShape).some(({ long, short }) => text === long || text === short);
}

function isAccepted(row: OptionRow, path: readonly CommandRow[]): boolean {
  return acceptedOptions(path).some(
    ({ flags }) => optionShape(row).long === optionShape({ flags }).long,
  );
}

/** Its own options, its parents', and those of every command. */
function acceptedOptions(path: readonly CommandRow[]): readonly OptionRow[] {
  const [first] = path;
  const conversation =
    first === undefined
      ? CONVERSATION_OPTIONS
      : CONVERSATION_OPTIONS.filter(({ alsoFor = [] }) => alsoFor.includes(first.name));
  return [...path.flatMap(({ options = [] }) => options), ...conversation, ...GLOBAL_OPTIONS];
}

function refuseOption(
  typed: string,
  row: OptionRow | undefined,
  path: readonly CommandRow[],
): string {
  if (row !== undefined && CONVERSATION_OPTIONS.includes(row))
    return `${optionShape(row).long} applies to conversations, not to '${commandName(path)}'`;
  const known = acceptedOptions(path).map((each) => optionShape(each).long);
  return `unknown option '${typed}'${didYouMean(nearest(typed, known))}`;
}

function operandProblem(path: readonly CommandRow[], words: readonly Word[]): string | undefined {
  const row = path.at(-1);
  if (row === undefined) {
    const [first] = words;
    const isCommand = first !== undefined && !first.isText && !/\s/.test(first.text);
    return isCommand ? unknownWord(path, first.text, messageHint(words)) : undefined;
  }
  const operands = (row.operands ?? "").split(" ").filter((operand) => operand !== "");
  const missing = operands.filter((operand) => operand.startsWith("<"))[words.length];
  if (missing !== undefined) return `'${commandName(path)}' requires ${missing}`;
  const max = operands.some((operand) => operand.includes("...")) ? Infinity : operands.length;
  const excess = words[max];
  return excess === undefined ? undefined : unknownWord(path, excess.text);
}

/** How to send words that name no command as a message. Quotes alone do not help a single word. */
function messageHint(words: readonly Word[]): string {
  const [first] = words;
  if (first === undefined || words.length > 1)
    return '. Quote the message, or pass it with -p: caliban "fix the tests"';
  const quoted = `'${first.text.replaceAll("'", "'\\''")}'`;
  return `. To send it as a message, run: caliban -p ${quoted}`;
}

function unknownWord(path: readonly CommandRow[], word: string, otherwise = ""): string {
  const rows = path.length === 0 ? COMMANDS : (path.at(-1)?.subcommands ?? []);
  if (rows.length === 0) return `unexpected argument '${word}' for '${commandName(path)}'`;
  const meant = nearest(
    word,
    rows.map(({ name }) => name),
  );
  const what =
    path.length === 0 ? `command '${word}'` : `subcommand '${word}' for '${commandName(path)}'`;
  const hint = meant === undefined ? otherwise : didYouMean(meant);
  return `unknown ${what}${hint}`;
}

function didYouMean(name: string | undefined): string {
  return name === undefined ? "" : `; did you mean '${name}'?`;
}

type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

function optionValues(options: readonly GivenOption[]): OptionValues {
  const values: Record<string, string | boolean | readonly string[]> = {};
  for (const { row, value } of options) {
    if (row === undefined) continue;
    const { name, isNegated } = optionShape(row);
    values[name] =
      row.repeatable === true ? [...listOf(values[name]), value ?? ""] : (value ?? !isNegated);
  }
  return values;
}

function toInvocation(values: OptionValues, operands: readonly string[]): Omit<Invocation, "host"> {
  const { workspace } = values;
  return {
    operands,
    workspace: typeof workspace === "string" ? workspace : undefined,
    additionalDirectories: listOf(values["addDir"]),
    bare: values["bare"] === true,
    memory: values["memory"] !== false,
    json: values["json"] === true,
    permissions: {
      allow: listOf(values["allow"]),
      ask: listOf(values["ask"]),
      deny: listOf(values["deny"]),
    },
    options: Object.fromEntries(Object.entries(values).filter(isSingle)),
  };
}

function listOf(value: OptionValues[string]): readonly string[] {
  return Array.isArray(value) ? value : [];
}

function isSingle(
  entry: readonly [string, OptionValues[string]],
): entry is [string, string | boolean] {
  return typeof entry[1] === "string" || typeof entry[1] === "boolean";
}
