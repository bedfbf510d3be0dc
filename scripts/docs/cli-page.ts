import type { CommandRow } from "../../apps/caliban/src/cli/command-row.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../../apps/caliban/src/cli/command-table.ts";

/** docs/cli.md, from the table that also makes the parser and `--help`. */
export function renderCliPage(): string {
  return `# The command line

Made from the command table by \`pnpm run docs\`; a test checks that it is up to date.

\`\`\`text
caliban [options] [command]
\`\`\`

Without a command, caliban shows the memory of this directory and how to go on. Only \`memory write\` reads
stdin, and only \`memory rm\` and \`memory import\` ask,
on a terminal.

## Options of every command

| option | |
| --- | --- |
${GLOBAL_OPTIONS.map(({ flags, doc }) => `| \`${flags}\` | ${doc} |`).join("\n")}
| \`-h, --help\` | Show help, also for a single command. |
| \`-V, --version\` | Print the version. |

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
| 1 | Failed, for a reason that stands on stderr; or \`memory doctor\` found something. |
| 2 | The command line, the settings or an environment variable is wrong; the message names the place. |
| 3 | Nothing was found that has the name, or the words. |
`;
}

function commandLines(row: CommandRow, parent: string): readonly string[] {
  const name = `${parent} ${row.name}`;
  const options = (row.options ?? []).map(({ flags, doc }) => ` \`${flags}\`: ${doc}`);
  const line = `| \`${[name, row.operands].filter(Boolean).join(" ")}\` | ${row.doc}${options.join("")} |`;
  return [line, ...(row.subcommands ?? []).flatMap((below) => commandLines(below, name))];
}
