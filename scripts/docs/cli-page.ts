import type { CommandRow, OptionRow } from "../../apps/caliban/src/cli/table/command-row.ts";
import { COMMANDS } from "../../apps/caliban/src/cli/table/commands.ts";
import { HEADLESS_SECTION } from "./headless-section.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "../../apps/caliban/src/cli/table/options.ts";

/** docs/cli.md, from the table that also drives the parser, `--help` and shell completion. */
export function renderCliPage(): string {
  return `# Command line

Generated from the command table by \`pnpm run docs\`; a test checks that it is up to date.

\`\`\`text
caliban [options]                  start an interactive session
caliban [options] "fix the tests"  start with a first message
caliban [options] -p "fix it"      print one answer to stdout
caliban [options] <command>        run one of the commands below
\`\`\`

A first argument without a space is a command name, so \`caliban memry\` is an error and not a message. A message contains a
space or follows \`-p\`; after \`-p\`, every word is part of the message. Only \`memory write\`, \`mcp\` and \`-p\` read stdin. Only
\`memory rm\`, \`memory clear\`, \`memory import\`, \`memory export --to claude\`, \`memory team\`, \`sessions rm\`, \`mcp approve\` and the
interactive session ask questions, and only on a terminal.

\`caliban help <command>\` shows the options and an example of one command. Output is colored on a terminal; set \`NO_COLOR\` to
turn colors off.

## Shell completion

\`\`\`sh
eval "$(caliban completion bash)"                                        # in ~/.bashrc
eval "$(caliban completion zsh)"                                         # in ~/.zshrc, after compinit
caliban completion fish | source                                         # in ~/.config/fish/config.fish
\`\`\`

Commands and options come from the script. For settings and their values, topics, changes, sessions, servers and models, the script
asks caliban.

## Names and ids

An id of a session, a change or a proposal, the name of a topic and that of a model can be any part that no other one has: the beginning first,
then any place. If several match, they are listed and nothing happens. \`memory rm --force\`, \`--purge\` and all commands about topics with
\`--json\` take exact names only.

## Options for every command

| option | |
| --- | --- |
${optionLines(GLOBAL_OPTIONS)}

## Conversation options

The prompt options also work with \`caliban prompt\`, which prints the resulting prompt.

| option | |
| --- | --- |
${optionLines(CONVERSATION_OPTIONS)}

\`-c\`, \`-r\` and \`--session\` cannot be used together; neither can \`--system\` and \`--system-file\`, or \`--session\` and
\`--no-save\`. \`--system\` replaces the built-in instructions; memory and skills stay unless you add \`--bare\`. \`-r\` takes the
next word as the session id.

${HEADLESS_SECTION}
## Commands

${COMMANDS.map(commandSection).join("\n")}
## Exit codes

| code | |
| --- | --- |
| 0 | Success. |
| 1 | Failed; stderr has the reason. Also: \`doctor\` or \`memory doctor\` found a problem, or \`--max-turns\` was reached. |
| 2 | Invalid command line, settings, environment variable or input line; the message says where. |
| 3 | Nothing found: no such topic or session, or no search result. |
| 4 | With \`-p\`: the model finished, but at least one tool call was denied by a rule, by plan mode, or because no one could be asked. |
| 5 | With \`-p\`: the model refused, or the provider or network failed. |
| 6 | With \`-p\`: stopped before a request that would exceed \`budget.session\` or \`budget.day\`. |
| 129, 130, 143 | Ended by SIGHUP, SIGINT (Ctrl-C) or SIGTERM. |

With several messages the worst code counts, in this order: 130, 2, 5, 6, 1, 4.
`;
}

function optionLines(rows: readonly OptionRow[]): string {
  return rows.map(({ flags, doc }) => `| \`${flags}\` | ${doc} |`).join("\n");
}

function commandSection(row: CommandRow): string {
  const lines = commandLines(row, "caliban");
  return `### \`caliban ${row.name}\`

| command | |
| --- | --- |
${lines.join("\n")}
`;
}

/** A command, then those below it. */
function commandLines(row: CommandRow, parent: string): readonly string[] {
  const { subcommands = [] } = row;
  return [
    commandLine(row, parent),
    ...subcommands.flatMap((each) => commandLines(each, `${parent} ${row.name}`)),
  ];
}

function commandLine(row: CommandRow, parent: string): string {
  const { name, operands, doc, details, aliases = [], options = [] } = row;
  const usage = [parent, name, operands].filter((word) => word !== undefined).join(" ");
  const also = aliases.length === 0 ? "" : ` Alias: \`${aliases.join("`, `")}\`.`;
  const list = options.map((option) => `<br>\`${option.flags}\`: ${option.doc}`);
  return `| \`${usage}\` | ${doc}.${details === undefined ? "" : ` ${details}`}${also}${list.join("")} |`;
}
