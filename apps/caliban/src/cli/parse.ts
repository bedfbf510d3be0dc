import { nearest } from "@caliban/common";
import { Command, CommanderError, Option } from "commander";
import type { Invocation, RunCommand } from "../command.ts";
import { COMMANDS, GLOBAL_OPTIONS, loadDefaultCommand } from "./command-table.ts";
import type { CommandRow, OptionRow } from "./command-row.ts";
import { CONVERSATION_OPTIONS } from "./conversation-options.ts";
import { type OptionValues, readOptions, strayOption } from "./read-options.ts";

/** What to run, or what to print instead. */
export type ParsedCommandLine =
  | ({ readonly kind: "run"; readonly load: () => Promise<RunCommand> } & Omit<Invocation, "host">)
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "mistake"; readonly text: string };

/** Reads the command line by the table. Nothing runs and nothing is printed here. */
export function parseCommandLine(line: readonly string[], version: string): ParsedCommandLine {
  const argv = withDashedText(line);
  const [first, ...words] = argv;
  // As everywhere, `help memory write` is `memory write --help`.
  if (first === "help" && words.length > 0) return parseCommandLine([...words, "--help"], version);
  // Making all commands takes longer than running most of them, so the ones that are named come first.
  const parsed = parseWith(namedCommands(argv), argv, version);
  return parsed.kind === "run" ? parsed : parseWith(COMMANDS, argv, version);
}

/** What has a space in it is no option: a message may begin with a dash, as lists do. */
function withDashedText(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word, index) => {
    if (PRINT.test(word) && DASHED_TEXT.test(argv[index + 1] ?? "")) return [];
    const isText = PRINT.test(argv[index - 1] ?? "") && DASHED_TEXT.test(word);
    return isText ? [`--print=${word}`] : [word];
  });
}

const PRINT = /^(?:-p|--print)$/;
const DASHED_TEXT = /^-(?!-print=).*\s/s;

/** Behind `-p` every word is text, also one that is a command's name. */
function namedCommands(argv: readonly string[]): readonly CommandRow[] {
  const print = argv.findIndex((word) => /^(?:-p|--print(?:=.*)?)$/s.test(word));
  const before = print === -1 ? argv : argv.slice(0, print);
  return COMMANDS.filter(({ name }) => before.includes(name));
}

function parseWith(
  rows: readonly CommandRow[],
  argv: readonly string[],
  version: string,
): ParsedCommandLine {
  let parsed: ParsedCommandLine | undefined;
  let output = "";
  const program = createProgram(rows, version, (run) => {
    parsed = run;
  });
  captureOutput(program, (text) => {
    output += text;
  });
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { kind: error.exitCode === 0 ? "help" : "mistake", text: output };
  }
  return parsed ?? { kind: "help", text: program.helpInformation() };
}

type OnRun = (run: ParsedCommandLine & { readonly kind: "run" }) => void;

function createProgram(rows: readonly CommandRow[], version: string, onRun: OnRun): Command {
  const program = new Command("caliban")
    .description("A coding agent in the terminal that remembers.")
    .usage('[options] [command | "message"]')
    .version(version, "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Show this help.")
    .helpCommand("help [command]", "Show help for a command.")
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: globalOptionsOf });
  // Where only text can come, so can the word "help".
  if (rows.length === 0) program.helpCommand(false);
  addOptions(program, GLOBAL_OPTIONS);
  addOptions(program, CONVERSATION_OPTIONS, "Options of a conversation:");
  addDefaultAction(program, onRun);
  for (const row of rows) addCommand(program, row, onRun);
  return program;
}

/** What of the program's options the help of a command shows. */
function globalOptionsOf(command: Command): Option[] {
  const path = fullName(command).split(" ");
  if (command.parent === null) return [];
  const shown = [
    ...GLOBAL_OPTIONS,
    ...CONVERSATION_OPTIONS.filter(({ alsoFor = [] }) => alsoFor.includes(path[1] ?? "")),
  ];
  return shown.map(({ flags, doc }) => new Option(flags, doc));
}

function addCommand(parent: Command, row: CommandRow, onRun: OnRun): void {
  const usage = row.operands === undefined ? row.name : `${row.name} ${row.operands}`;
  const command = parent
    .command(usage)
    .description(row.doc)
    .helpOption("-h, --help", "Show this help.");
  addOptions(command, row.options ?? []);
  addAction(command, row.load, onRun);
  for (const subcommand of row.subcommands ?? []) addCommand(command, subcommand, onRun);
}

/** Without a command: a conversation, whose first message is recognized by its space or by `-p`. */
function addDefaultAction(program: Command, onRun: OnRun): void {
  program.allowExcessArguments(true).action(() => {
    const values = program.opts<OptionValues>();
    const [first] = program.args;
    if (first !== undefined && values["print"] === undefined && !/\s/.test(first))
      refuseExcess(program, first);
    onRun({ kind: "run", load: loadDefaultCommand, ...readOptions(values, program.args) });
  });
}

/** A word that no operand takes is a mistyped subcommand, which commander would only call excess. */
function addAction(command: Command, load: () => Promise<RunCommand>, onRun: OnRun): void {
  command.allowExcessArguments(true).action(() => {
    const most = command.registeredArguments.some((operand) => operand.variadic)
      ? Infinity
      : command.registeredArguments.length;
    const values = command.optsWithGlobals<OptionValues>();
    const stray = strayOption(values, fullName(command).split(" ")[1] ?? "");
    if (stray !== undefined)
      command.error(`error: ${stray} is for a conversation, not for '${fullName(command)}'.`);
    const excess = command.args[most];
    if (excess !== undefined) refuseExcess(command, excess);
    onRun({ kind: "run", load, ...readOptions(values, command.args) });
  });
}

function refuseExcess(command: Command, word: string): never {
  const names = (command.parent === null ? COMMANDS : []).map(({ name }) => name);
  const below = command.commands.map((subcommand) => subcommand.name());
  const known = [...new Set([...names, ...below])];
  const what = known.length > 0 ? "unknown command" : "unexpected argument";
  const meant = nearest(word, known);
  const otherwise =
    command.parent === null ? " A message for the agent stands in quotes, or behind -p." : "";
  const hint = meant === undefined ? otherwise : ` Did you mean '${meant}'?`;
  command.error(`error: ${what} '${word}' for '${fullName(command)}'.${hint}`);
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function addOptions(command: Command, rows: readonly OptionRow[], group = "Options:"): void {
  for (const { flags, doc, repeatable } of rows) {
    const option = new Option(flags, doc).helpGroup(group);
    command.addOption(repeatable === true ? option.argParser(collect) : option);
  }
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Everything commander would print goes to the caller, and it throws instead of ending the process. */
function captureOutput(command: Command, write: (text: string) => void): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      // The same text everywhere, so that one made beforehand is the same as well.
      getOutHelpWidth: () => HELP_COLUMNS,
      getErrHelpWidth: () => HELP_COLUMNS,
    })
    .showHelpAfterError(`Run '${fullName(command)} --help' to see how it is used.`);
  for (const subcommand of command.commands) captureOutput(subcommand, write);
}

const HELP_COLUMNS = 80;
