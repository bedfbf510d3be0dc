import { nearest } from "@caliban/common";
import { Command, CommanderError } from "commander";
import type { Invocation, RunCommand } from "../command.ts";
import { COMMANDS, GLOBAL_OPTIONS, loadDefaultCommand } from "./command-table.ts";
import type { CommandRow } from "./command-row.ts";

/** What to run, or what to print instead. */
export type ParsedCommandLine =
  | ({ readonly kind: "run"; readonly load: () => Promise<RunCommand> } & Omit<Invocation, "host">)
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "mistake"; readonly text: string };

/** Reads the command line by the table. Nothing runs and nothing is printed here. */
export function parseCommandLine(argv: readonly string[], version: string): ParsedCommandLine {
  const [first, ...words] = argv;
  // As everywhere, `help memory write` is `memory write --help`.
  if (first === "help" && words.length > 0) return parseCommandLine([...words, "--help"], version);
  // Making all commands takes longer than running most of them, so the ones that are named come first.
  const named = COMMANDS.filter(({ name }) => argv.includes(name));
  const parsed = parseWith(named, argv, version);
  return parsed.kind === "run" ? parsed : parseWith(COMMANDS, argv, version);
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
    .version(version, "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Show this help.")
    .helpCommand("help [command]", "Show help for a command.")
    .configureHelp({ showGlobalOptions: true });
  addOptions(program, GLOBAL_OPTIONS);
  addAction(program, loadDefaultCommand, onRun);
  for (const row of rows) addCommand(program, row, onRun);
  return program;
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

/** A word that no operand takes is a mistyped subcommand, which commander would only call excess. */
function addAction(command: Command, load: () => Promise<RunCommand>, onRun: OnRun): void {
  command.allowExcessArguments(true).action(() => {
    const most = command.registeredArguments.some((operand) => operand.variadic)
      ? Infinity
      : command.registeredArguments.length;
    const excess = command.args[most];
    if (excess !== undefined) refuseExcess(command, excess);
    onRun(runOf(command, load, command.args));
  });
}

function refuseExcess(command: Command, word: string): never {
  const names = command.commands.map((subcommand) => subcommand.name());
  const what = names.length > 0 ? "unknown command" : "unexpected argument";
  const meant = nearest(word, names);
  const hint = meant === undefined ? "" : ` Did you mean '${meant}'?`;
  command.error(`error: ${what} '${word}' for '${fullName(command)}'.${hint}`);
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function addOptions(command: Command, rows: NonNullable<CommandRow["options"]>): void {
  for (const { flags, doc, repeatable } of rows) {
    if (repeatable === true) command.option(flags, doc, collect);
    else command.option(flags, doc);
  }
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function runOf(
  command: Command,
  load: () => Promise<RunCommand>,
  operands: readonly string[],
): ParsedCommandLine & { readonly kind: "run" } {
  const options = command.optsWithGlobals<Options>();
  return {
    kind: "run",
    load,
    operands,
    workspace: options.workspace,
    additionalDirectories: options.addDir ?? [],
    bare: options.bare ?? false,
    memory: options.memory ?? true,
    json: options.json ?? false,
    permissions: {
      allow: options.allow ?? [],
      ask: options.ask ?? [],
      deny: options.deny ?? [],
    },
    options: command.opts(),
  };
}

interface Options {
  readonly workspace?: string;
  readonly addDir?: readonly string[];
  readonly bare?: boolean;
  readonly memory?: boolean;
  readonly json?: boolean;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Everything commander would print goes to the caller, and it throws instead of ending the process. */
function captureOutput(command: Command, write: (text: string) => void): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write })
    .showHelpAfterError(`Run '${fullName(command)} --help' to see how it is used.`);
  for (const subcommand of command.commands) captureOutput(subcommand, write);
}
