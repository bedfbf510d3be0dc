import { hang, shellCommand, type SpellCommand, wrapLines, wrapText } from "@caliban/common";
import { createStyle, type Style } from "./style.ts";
import { type CommandRow, commandName, type OptionRow } from "./table/command-row.ts";
import { COMMANDS } from "./table/commands.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "./table/options.ts";

const MAX_COLUMNS = 80;

export interface HelpInput {
  readonly hasColor: boolean;
  /** The width of the terminal. Help is never wider than 80 columns. */
  readonly columns?: number | undefined;
  /** Spells a command where the help is read; as in a shell by default. */
  readonly command?: SpellCommand;
}

interface View extends Required<Pick<HelpInput, "command">> {
  readonly columns: number;
  readonly style: Style;
}

/** The help of a command, or of `caliban` itself for an empty path. */
export function renderHelp(
  path: readonly CommandRow[],
  { hasColor, columns = MAX_COLUMNS, command = shellCommand }: HelpInput,
): string {
  const style = createStyle(hasColor);
  const view: View = { style, command, columns: Math.min(MAX_COLUMNS, columns) };
  const row = path.at(-1);
  const sections = row === undefined ? overview(view) : commandHelp(row, path, view);
  return `${sections.join("\n\n")}\n`;
}

function overview(view: View): readonly string[] {
  const { style, columns, command } = view;
  const commands: Table = COMMANDS.map(({ name, doc }) => [name, doc]);
  const conversation = summaryRows(CONVERSATION_OPTIONS);
  const global = summaryRows(GLOBAL_OPTIONS);
  const section = createSection([...commands, ...conversation, ...global], view);
  return [
    "A coding agent for the terminal that remembers.",
    `${style.heading("Usage:")} caliban [options] ["message"]\n       caliban [options] <command>`,
    section("Commands:", commands),
    section("Conversation options:", conversation),
    section("Options for every command:", global),
    wrapLines(`Run '${command("help <command>")}' for the options of a command.`, columns),
  ];
}

/** Rows with a shared summary become one row. */
function summaryRows(rows: readonly OptionRow[]): Table {
  const summaries = rows.map(({ flags, doc, summary }) => summary ?? { flags, doc });
  return summaries
    .filter((row, index) => summaries.indexOf(row) === index)
    .map(({ flags, doc }) => [flags, doc]);
}

function commandHelp(row: CommandRow, path: readonly CommandRow[], view: View): readonly string[] {
  const { doc, details, subcommands = [], example, aliases = [], operands } = row;
  const { style, columns, command } = view;
  const options: Table = (row.options ?? []).map(({ flags, doc: text }) => [flags, text]);
  const section = createSection([...options, ...subcommands.map(subcommandRow)], view);
  const name = command(commandName(path));
  const usage = [name, "[options]", ...(operands === undefined ? [] : [operands])].join(" ");
  const hasSubcommands = subcommands.length > 0;
  return [
    wrapText(details === undefined ? `${doc}.` : `${doc}. ${details}`, columns).join("\n"),
    `${style.heading("Usage:")} ${usage}${hasSubcommands ? `\n       ${name} <subcommand>` : ""}`,
    ...(aliases.length === 0 ? [] : [`${style.heading("Aliases:")} ${aliases.join(", ")}`]),
    ...groupsOf(subcommands).map(([group, rows]) => section(`${group}:`, rows.map(subcommandRow))),
    ...(options.length === 0 ? [] : [section("Options:", options)]),
    `${style.heading("Example:")}\n  ${typeof example === "string" ? example : command(example.command)}`,
    wrapLines(
      (hasSubcommands ? `Options of a subcommand: run '${name} <subcommand> --help'.\n` : "") +
        `Options for every command, such as --workspace: run '${command("--help")}'.`,
      columns,
    ),
  ];
}

function subcommandRow({ name, operands, doc }: CommandRow): readonly [string, string] {
  return [operands === undefined ? name : `${name} ${operands}`, doc];
}

function groupsOf(
  rows: readonly CommandRow[],
): readonly (readonly [string, readonly CommandRow[]])[] {
  const groups = new Map<string, CommandRow[]>();
  for (const row of rows) {
    const group = row.group ?? "Subcommands";
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  return [...groups];
}

type Table = readonly (readonly [name: string, text: string])[];

/** Renders tables whose columns line up with those of all rows. */
function createSection(
  all: Table,
  { style, columns }: View,
): (heading: string, rows: Table) => string {
  const width = Math.max(0, ...all.map(([name]) => name.length));
  return (heading, rows) => {
    const lines = rows.map(([name, text]) => {
      const paint = (head: string): string => `  ${style.name(name)}${head.slice(2 + name.length)}`;
      return hang({ head: `  ${name.padEnd(width)}  `, text, columns, paint });
    });
    return [style.heading(heading), ...lines].join("\n");
  };
}
