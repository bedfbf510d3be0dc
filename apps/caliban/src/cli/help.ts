import { createStyle, type Style } from "./style.ts";
import { type CommandRow, commandName, type OptionRow } from "./table/command-row.ts";
import { COMMANDS } from "./table/commands.ts";
import { wrapText } from "./wrap-text.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "./table/options.ts";

const COLUMNS = 80;

export interface HelpInput {
  readonly hasColor: boolean;
  /** Spells a command where the help is read. */
  readonly command: (words: string) => string;
}

/** The help of a command, or of `caliban` itself for an empty path. */
export function renderHelp(path: readonly CommandRow[], input: HelpInput): string {
  const row = path.at(-1);
  const style = createStyle(input.hasColor);
  const sections = row === undefined ? overview(style) : commandHelp(row, path, input);
  return `${sections.join("\n\n")}\n`;
}

function overview(style: Style): readonly string[] {
  const commands: Table = COMMANDS.map(({ name, doc }) => [name, doc]);
  const conversation = summaryRows(CONVERSATION_OPTIONS);
  const global = summaryRows(GLOBAL_OPTIONS);
  const width = nameWidth([...commands, ...conversation, ...global]);
  return [
    "A coding agent for the terminal that remembers.",
    `${style.heading("Usage:")} caliban [options] ["message"]\n       caliban [options] <command>`,
    section("Commands:", commands, { width, style }),
    section("Conversation options:", conversation, { width, style }),
    section("Options for every command:", global, { width, style }),
    "Run 'caliban help <command>' for the options of a command.",
  ];
}

/** Rows with a shared summary become one row. */
function summaryRows(rows: readonly OptionRow[]): Table {
  const summaries = rows.map(({ flags, doc, summary }) => summary ?? { flags, doc });
  return summaries
    .filter((row, index) => summaries.indexOf(row) === index)
    .map(({ flags, doc }) => [flags, doc]);
}

function commandHelp(
  row: CommandRow,
  path: readonly CommandRow[],
  { hasColor, command }: HelpInput,
): readonly string[] {
  const style = createStyle(hasColor);
  const { doc, details, subcommands = [], example, aliases = [], operands } = row;
  const options: Table = ownOptions(path).map(({ flags, doc: text }) => [flags, text]);
  const width = nameWidth([...options, ...subcommands.map(subcommandRow)]);
  const name = command(commandName(path));
  const usage = [name, "[options]", ...(operands === undefined ? [] : [operands])];
  return [
    wrapText(`${doc}.${details === undefined ? "" : ` ${details}`}`, COLUMNS).join("\n"),
    `${style.heading("Usage:")} ${usage.join(" ")}${subcommands.length === 0 ? "" : `\n       ${name} <subcommand>`}`,
    ...(aliases.length === 0 ? [] : [`${style.heading("Aliases:")} ${aliases.join(", ")}`]),
    ...groupsOf(subcommands).map(([group, rows]) =>
      section(`${group}:`, rows.map(subcommandRow), { width, style }),
    ),
    ...(options.length === 0 ? [] : [section("Options:", options, { width, style })]),
    `${style.heading("Example:")}\n  ${typeof example === "string" ? example : command(example.command)}`,
    "Options for every command, such as --workspace: run 'caliban --help'.",
  ];
}

/** Options of the command and the conversation options it accepts; the global ones are one line of help. */
function ownOptions(path: readonly CommandRow[]): readonly OptionRow[] {
  const [first] = path;
  const conversation = CONVERSATION_OPTIONS.filter(({ alsoFor = [] }) =>
    alsoFor.includes(first?.name ?? ""),
  );
  return [...(path.at(-1)?.options ?? []), ...conversation];
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

function nameWidth(rows: Table): number {
  return Math.max(0, ...rows.map(([name]) => name.length));
}

function section(
  heading: string,
  rows: Table,
  { width, style }: { readonly width: number; readonly style: Style },
): string {
  const indent = width + 4;
  const lines = rows.map(([name, text]) => {
    const [first = "", ...more] = wrapText(text, COLUMNS - indent);
    const padding = " ".repeat(width - name.length);
    return [
      `  ${style.name(name)}${padding}  ${first}`,
      ...more.map((line) => " ".repeat(indent) + line),
    ].join("\n");
  });
  return [style.heading(heading), ...lines].join("\n");
}
