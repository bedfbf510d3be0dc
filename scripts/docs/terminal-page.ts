import { KEYS } from "../../packages/tui/src/input/key-table.ts";
import type { SlashRow } from "../../apps/caliban/src/commands/chat/slash/slash-command.ts";
import { SLASH_COMMANDS } from "../../apps/caliban/src/commands/chat/slash/slash-table.ts";

/** docs/terminal.md, from the tables that also make completion and `/help`. */
export function renderTerminalPage(): string {
  return `# The screen

Made from the tables of slash commands and keys by \`pnpm run docs\`; a test checks that it is up to date.

\`caliban\` on a terminal opens the screen. It writes into the terminal's own scrollback, so what was said can be scrolled,
searched and copied afterwards as any other output. When the size changes, or something above the visible part does, the
conversation is drawn anew, and what stood in the scrollback before it is cleared. \`/clear\` and
\`/resume\` draw anew too: what was said before is gone from the screen, and where it was longer than the screen, the scrollback is
cleared. A conversation that was kept comes back with \`/resume\`.

A call of a tool takes one line: a mark (\`○\` while it runs, \`●\` done, \`✗\` failed), what it is about and what came of it.
Under \`Edit\` and \`Write\` stands what changed. A saved memory is a line of its own, with its slug.

Before something is done that needs a permission, the prompt makes room for a question with the whole command or change;
what does not fit is turned over with PgDn, PgUp or Ctrl-O. \`y\` or Enter is once, \`a\` is always (the line says what that
covers; it is not there where nothing would be kept), \`n\` or Escape is no, and so are their numbers. \`/permissions\` shows what
you answered always, with numbers, and \`/permissions forget\` with a number, or with how an answer begins, takes it back.

A letter or number is an answer only when it comes alone, half a second after the question and after the last key, and while
nothing is typed. Anything else you type or paste goes into the prompt below the question, and Enter sends it off to wait for
its turn. To answer with text in the prompt, press an arrow: it marks an answer, further ones move the mark, and Enter gives
the answer that is marked.

\`NO_COLOR\` turns colours off. With \`TERM=dumb\` there is no screen; use [\`caliban -p\`](cli.md#answers-without-a-screen). What
models, tools and files say is shown with control characters spelled out, and links show where they lead.

## Slash commands

| command | |
| --- | --- |
${SLASH_COMMANDS.map(commandLine).join("\n")}

\`/memory\` takes every verb of \`caliban memory\` with the same output; \`/memory\` and \`/memory explain\` tell what the prompt of
this conversation was built from, and \`/memory reload\` builds it anew. A line that begins with a path, such as \`/usr/bin\`, is a
message.

## Keys

| keys | |
| --- | --- |
${KEYS.map(({ keys, doc }) => `| ${keys} | ${doc} |`).join("\n")}
`;
}

function commandLine({ name, aliases = [], operands, doc }: SlashRow): string {
  const usage = operands === undefined ? `/${name}` : `/${name} ${operands}`;
  const others = aliases.map((alias) => `, \`/${alias}\``).join("");
  return `| \`${usage}\`${others} | ${doc} |`;
}
