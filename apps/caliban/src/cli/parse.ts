import {
  command,
  type CommandMessage,
  type CommandReference,
  nearest,
  withCommands,
} from "@caliban/common";
import type { Invocation } from "../command.ts";
import { type CommandRow, commandName, type OptionRow, optionShape } from "./table/command-row.ts";
import { COMMANDS } from "./table/commands.ts";
import { ALL_OPTIONS, type GivenOption, readTokens, type Word } from "./tokens.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "./table/options.ts";

/** What to run, or what to print instead. The path has the named commands, outermost first; none for a conversation. */
export type ParsedCommandLine =
  | ({ readonly kind: "run"; readonly path: readonly CommandRow[] } & Omit<Invocation, "host">)
  | { readonly kind: "help"; readonly path: readonly CommandRow[] }
  | { readonly kind: "version" }
  | ({ readonly kind: "usage-error"; readonly path: readonly CommandRow[] } & CommandMessage);

/** Parses a command line by the command table. Runs and prints nothing. */
export function parseCommandLine(argv: readonly string[]): ParsedCommandLine {
  // As everywhere, `help memory write` means `memory write --help`.
  if (argv[0] === "help") return parseCommandLine([...argv.slice(1), "--help"]);
  const line = readTokens(argv);
  const { path, rest: words } = splitPath(line.words);
  if (line.options.some(({ row }) => row === HELP_ROW)) return helpFor(path, words);
  if (line.options.some(({ row }) => row === VERSION_ROW)) return { kind: "version" };
  const problem = optionProblem(line.options, path) ?? operandProblem(path, words);
  if (problem !== undefined) return { kind: "usage-error", path, ...problem };
  const operands = words.map(({ text }) => text);
  return { kind: "run", path, ...toInvocation(optionValues(line.options), operands) };
}

const HELP_ROW = GLOBAL_OPTIONS.find(({ flags }) => flags === "-h, --help");
const VERSION_ROW = GLOBAL_OPTIONS.find(({ flags }) => flags === "-V, --version");

/** Splits the words into the commands that the first ones name, and the rest. */
function splitPath(words: readonly Word[]): {
  readonly path: readonly CommandRow[];
  readonly rest: readonly Word[];
} {
  const path: CommandRow[] = [];
  let rows: readonly CommandRow[] = COMMANDS;
  for (const [index, { text, isText }] of words.entries()) {
    const rest = words.slice(index);
    if (isText) return { path, rest };
    if (path.at(-1)?.defaultVerbs?.includes(text) === true) return { path, rest: rest.slice(1) };
    const row = rows.find(({ name, aliases = [] }) => name === text || aliases.includes(text));
    if (row === undefined) return { path, rest };
    path.push(row);
    rows = row.subcommands ?? [];
  }
  return { path, rest: [] };
}

/** A mistyped command is an error with help, too: otherwise `help memroy` would show something else. */
function helpFor(path: readonly CommandRow[], words: readonly Word[]): ParsedCommandLine {
  const [word] = words;
  const takesWords = path.length > 0 && path.at(-1)?.subcommands === undefined;
  if (word === undefined || word.isText || takesWords || /\s/.test(word.text))
    return { kind: "help", path };
  return { kind: "usage-error", path, ...unknownWord(path, word.text) };
}

function optionProblem(
  options: readonly GivenOption[],
  path: readonly CommandRow[],
): CommandMessage | undefined {
  for (const { typed, row, value, isInline } of options) {
    if (row === undefined || !isAccepted(row, path)) return refuseOption(typed, row, path);
    const { long, value: kind } = optionShape(row);
    const isMissing = value === undefined || (!isInline && isOption(value));
    if (kind === "required" && isMissing)
      return { message: `${long} requires a value: ${row.flags}` };
    if (kind === "none" && value !== undefined) return { message: `${long} does not take a value` };
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
  const own =
    path.length === 0 ? CONVERSATION_OPTIONS : path.flatMap(({ options = [] }) => options);
  return [...own, ...GLOBAL_OPTIONS];
}

function refuseOption(
  typed: string,
  row: OptionRow | undefined,
  path: readonly CommandRow[],
): CommandMessage {
  if (row !== undefined && CONVERSATION_OPTIONS.includes(row))
    return withCommands`${optionShape(row).long} applies to conversations, not to '${nameOf(path)}'`;
  const known = acceptedOptions(path).map((each) => optionShape(each).long);
  const meant = nearest(typed, known);
  const after = path.at(-1)?.afterDashes;
  const hint = meant === undefined && after !== undefined ? `; put ${after} after --` : "";
  return { message: `unknown option '${typed}'${didYouMean(meant)}${hint}` };
}

function operandProblem(
  path: readonly CommandRow[],
  words: readonly Word[],
): CommandMessage | undefined {
  const row = path.at(-1);
  if (row === undefined) {
    const [first] = words;
    const isCommand = first !== undefined && !first.isText && !/\s/.test(first.text);
    return isCommand ? unknownWord(path, first.text, messageHint(words)) : undefined;
  }
  const operands = (row.operands ?? "").split(" ").filter((operand) => operand !== "");
  const missing = operands.filter((operand) => operand.startsWith("<"))[words.length];
  if (missing !== undefined) return withCommands`'${nameOf(path)}' requires ${missing}`;
  const max = operands.some((operand) => operand.includes("...")) ? Infinity : operands.length;
  const excess = words[max];
  return excess === undefined ? undefined : unknownWord(path, excess.text);
}

/** How to send words that name no command as a message. Quotes alone do not help a single word. */
function messageHint(words: readonly Word[]): CommandMessage {
  const [first] = words;
  if (first === undefined || words.length > 1)
    return withCommands`. Quote the message, or pass it with -p: ${command('"fix the tests"')}`;
  const quoted = `'${first.text.replaceAll("'", "'\\''")}'`;
  return withCommands`. To send it as a message, run: ${command(`-p ${quoted}`)}`;
}

function unknownWord(
  path: readonly CommandRow[],
  word: string,
  otherwise: CommandMessage | "" = "",
): CommandMessage {
  const rows = path.length === 0 ? COMMANDS : (path.at(-1)?.subcommands ?? []);
  if (rows.length === 0) return withCommands`unexpected argument '${word}' for '${nameOf(path)}'`;
  const meant = nearest(
    word,
    rows.map(({ name }) => name),
  );
  const what =
    path.length === 0
      ? `command '${word}'`
      : withCommands`subcommand '${word}' for '${nameOf(path)}'`;
  const hint = meant === undefined ? otherwise : didYouMean(meant);
  return withCommands`unknown ${what}${hint}`;
}

function nameOf(path: readonly CommandRow[]): CommandReference {
  return command(commandName(path));
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
    options: values,
  };
}

function listOf(value: OptionValues[string]): readonly string[] {
  return Array.isArray(value) ? value : [];
}
