import type { CommandRow, OptionRow } from "../../apps/caliban/src/cli/command-row.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../../apps/caliban/src/cli/command-table.ts";
import { CONVERSATION_OPTIONS } from "../../apps/caliban/src/cli/conversation-options.ts";
import { HEADLESS_SECTION } from "./headless-section.ts";

/** docs/cli.md, from the table that also makes the parser and `--help`. */
export function renderCliPage(): string {
  return `# The command line

Made from the command table by \`pnpm run docs\`; a test checks that it is up to date.

\`\`\`text
caliban [options]                  the screen, on a terminal
caliban [options] "fix the tests"  the screen, with a first message
caliban [options] -p "fix it"      one answer on stdout
caliban [options] <command>        one of the commands below
\`\`\`

A first word without a space is a command's name, so that \`caliban memry\` is a slip and not a message; a message has a
space in it, or comes with \`-p\`, behind which every word is text. Only \`memory write\`, \`mcp\` and \`-p\` read stdin, and only
\`memory rm\`, \`memory clear\`, \`memory import\`, \`memory export --to claude\`, \`sessions rm\`, \`mcp approve\` and the screen ask, on a terminal.

## Options of every command

| option | |
| --- | --- |
${optionLines(GLOBAL_OPTIONS)}
| \`-h, --help\` | Show help, also for a single command. |
| \`-V, --version\` | Print the version. |

## Options of a conversation

Those for the prompt hold for \`caliban prompt\` as well, which shows what they make of it.

| option | |
| --- | --- |
${optionLines(CONVERSATION_OPTIONS)}

\`-c\`, \`-r\` and \`--session\` exclude one another, and so do \`--system\` and \`--system-file\`; \`--session\` does not go
with \`--no-save\`. \`--system\` replaces what caliban says about itself, its tools and its manners; memory and skills stay, and
\`--bare\` leaves them out as well. \`-r\` takes the word behind it for an id.

${HEADLESS_SECTION}
## Commands

| command | |
| --- | --- |
${COMMANDS.flatMap((row) => commandLines(row, "caliban")).join("\n")}

On a terminal, \`caliban prompt\` spells control characters out, so that a file cannot play tricks on it; into a pipe or a file
it writes the exact bytes.

## Exit codes

| code | |
| --- | --- |
| 0 | Done. |
| 1 | Failed, for a reason that stands on stderr; \`doctor\` or \`memory doctor\` found something; the model was stopped by \`--max-turns\`. |
| 2 | The command line, the settings, an environment variable or a line of input is wrong; the message names the place. |
| 3 | Nothing was found that has the name, or the words; there is no such session. |
| 4 | With \`-p\`: the model ended well, but at least one tool call was refused for want of permission: by a rule, by plan mode, or because nobody could be asked. |
| 5 | With \`-p\`: the model declined, or the provider or the network failed. |
| 129, 130, 143 | Ended by SIGHUP, SIGINT (Ctrl-C) or SIGTERM. |

After several messages the worst counts: 130, then 2, 5, 1, 4.
`;
}

function optionLines(rows: readonly OptionRow[]): string {
  return rows.map(({ flags, doc }) => `| \`${flags}\` | ${doc} |`).join("\n");
}

function commandLines(row: CommandRow, parent: string): readonly string[] {
  const name = `${parent} ${row.name}`;
  const options = (row.options ?? []).map(({ flags, doc }) => ` \`${flags}\`: ${doc}`);
  const line = `| \`${[name, row.operands].filter(Boolean).join(" ")}\` | ${row.doc}${options.join("")} |`;
  return [line, ...(row.subcommands ?? []).flatMap((below) => commandLines(below, name))];
}
