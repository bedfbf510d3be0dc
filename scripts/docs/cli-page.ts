import {
  COMMANDS,
  type CommandRow,
  GLOBAL_OPTIONS,
} from "../../apps/caliban/src/cli/command-table.ts";

/** docs/cli.md, from the table that also makes the parser and `--help`. */
export function renderCliPage(): string {
  return `# The command line

Made from the command table by \`pnpm docs\`; a test checks that it is up to date.

\`\`\`text
caliban [options] [command]
\`\`\`

Without a command, caliban shows the memory of this directory and how to go on. It never reads stdin.

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
| 1 | Failed, for a reason that stands on stderr. |
| 2 | The command line, the settings or an environment variable is wrong; the message names the place. |
`;
}

function commandLines(row: CommandRow, parent: string): readonly string[] {
  const name = `${parent} ${row.name}`;
  const options = (row.options ?? []).map(({ flags, doc }) => ` \`${flags}\`: ${doc}`);
  const line = `| \`${[name, row.operands].filter(Boolean).join(" ")}\` | ${row.doc}${options.join("")} |`;
  return [line, ...(row.subcommands ?? []).flatMap((below) => commandLines(below, name))];
}
