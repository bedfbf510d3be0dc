import { ATTACHMENTS_SECTION } from "./attachments-section.ts";
import { KEYS } from "../../packages/tui/src/input/key-table.ts";
import type { SlashRow } from "../../apps/caliban/src/commands/chat/slash/slash-command.ts";
import { SLASH_COMMANDS } from "../../apps/caliban/src/commands/chat/slash/slash-table.ts";

const HISTORY = `## What you sent before

Up and Down browse the messages that you sent in this project, also in earlier sessions. Ctrl-R searches those of all projects; Enter puts
the message into the prompt, where you can change it. The last 1,000 are stored in \`prompt-history.jsonl\` in the state directory, which
only you can read. A message that contains a secret is never stored, and sessions with \`--no-memory\` or \`--bare\` neither
read nor store any. To erase them, delete the file.

Lists to pick from, such as that of \`/resume\`, are filtered by what you type. \`/resume\` leaves out runs of \`caliban -p\` as long as
there are other conversations; \`caliban sessions\` lists all.
`;

/** docs/terminal.md, from the tables that also drive completion and `/help`. */
export function renderTerminalPage(): string {
  return `# The interactive session

Generated from the tables of slash commands and keys by \`pnpm run docs\`; a test checks that it is up to date.

${GUIDE}

${GO_BACK}
## Slash commands

| command | |
| --- | --- |
${SLASH_COMMANDS.map(commandLine).join("\n")}

\`/memory\` takes every subcommand of \`caliban memory\`, with the same output. \`/memory\` and \`/memory explain\` show what the
prompt of this conversation was built from; \`/memory reload\` rebuilds it. A line that begins with a path, such as
\`/usr/bin\`, is a message.

Completion lists commands, [custom commands and skills](commands.md), and their arguments: the verbs, topics and ids of \`/memory\`, models,
settings with their values, sessions, permission rules. Any part of a name is enough, and of the title of a session.

## Keys

| keys | |
| --- | --- |
${KEYS.map(({ keys, doc }) => `| ${keys} | ${doc} |`).join("\n")}
`;
}

const PLANS_AND_SUBAGENTS = `## Plans

In plan mode (Shift+Tab) the agent looks around and proposes a plan, which you see as Markdown. \`y\` approves it, and the agent asks
before changes. \`a\` approves it, and files are edited without asking. \`e\` opens it in your editor (\`VISUAL\`, \`EDITOR\` or \`vi\`) and
shows it again. \`i\` asks for a line that says what to change. \`n\` or Escape keeps planning.

## Subagents

A subagent has one line, with its step, its tool and its tokens while it works. Several run at the same time, and Escape stops all of them.
A question names the subagent that asks. Messages that you send meanwhile are for the main agent. Ctrl-O shows the result.

`;

const GO_BACK = `## Go back

\`/rewind\`, or Esc twice with an empty prompt, lists your earlier messages and which files would change. You choose whether the
conversation, the files that tools changed, or both go back to before the message, and its text is in the prompt again. Changes by
commands and other programs are not covered. \`/rewind undo\` undoes the last rewind. [Checkpoints](checkpoints.md) has the details.
`;

function commandLine({ name, aliases = [], operands, doc }: SlashRow): string {
  const usage = operands === undefined ? `/${name}` : `/${name} ${operands}`;
  const others = aliases.map((alias) => `, \`/${alias}\``).join("");
  return `| \`${usage}\`${others} | ${doc} |`;
}

const GUIDE = `\`caliban\` on a terminal starts an interactive session. It writes to the terminal's own scrollback, so you can scroll, search
and copy the conversation like any other output. What has scrolled off is never erased or changed: \`/clear\` and \`/resume\`
start on an empty screen and leave the old conversation above it. After a change of the width, a few lines may be there twice.
\`/resume\` brings a stored conversation back, and shows results as they were.

Each tool call takes one line: a mark (\`○\` running, \`●\` done, \`✗\` failed), its subject and its outcome. A command shows the last
lines of its output below, while it runs and afterwards; more of them if it failed. \`Edit\` and \`Write\` show the changed lines with
their numbers. Ctrl-O shows more of both. A saved topic gets a line of its own, with its slug.

Of a long message, only the start and the end are shown; the model gets all of it.

The line below the prompt shows the model, the permission mode, the directory with the branch of Git, how full the context window
is, what the conversation cost where prices are known, and how many notes from memory it got. The title of the terminal shows \`…\` while the agent works and \`?\` while a question waits. When a
turn of more than ten seconds ends, or a question waits for five, the terminal rings or shows a notification
([\`ui.notify\`](settings.md)).

## Notes

\`/remember\` and a line that starts with \`#\` save a text to memory at once, without the model, and say under which name. A text
that says "in every project" is saved for all of them. Text with a secret is refused. A line that starts with \`#12\` or \`##\`, or a text of several
lines, is a message.

${ATTACHMENTS_SECTION}
## Commands of your shell

A line that starts with \`!\` runs a command in your name: \`!git status\`. It runs in the directory and the [sandbox](sandbox.md) of the
agent's commands, for at most ten minutes, and Ctrl-C stops it. Rules and modes are about the agent and do not apply. The model reads the command and its
output with your next message. For memory, the output counts as text of others, like that of any tool.

Commands that send a text of a file, and skills by their name, are in [commands.md](commands.md).

${HISTORY}
## Your editor and your shell

Ctrl-G opens the text of the prompt in \`$VISUAL\` or \`$EDITOR\`, or else in \`vi\` or \`nano\`. When the editor ends, its text is in the prompt.
If it fails or the text cannot be used, the prompt stays as it is, and a message says where the text is. There are no vim keys in
the prompt itself ([why](../adrs/0071-leaving-the-screen.md)).

Ctrl-Z suspends caliban like any other program, and \`fg\` brings the screen back. Commands that the agent started keep running meanwhile.

## Permission questions

Before a tool call that needs approval, a question with the whole command or change appears above the prompt. PgDn, PgUp and
Ctrl-O show what does not fit. \`y\` or Enter approves once. \`a\` approves always (the line says what that covers; it is absent
where nothing could be stored). \`p\` approves a prefix such as \`git commit *\`, where one is offered. \`n\` or Escape refuses;
\`i\` refuses and asks for a line that tells the model what to do instead. The numbers of the answers work too.
On a small terminal, one answer is shown at a time, and the arrow keys show the others.
Questions come in the order of the calls. \`/permissions\` lists your stored
approvals, and \`/permissions forget\` with a number or the beginning of an approval removes it.

A letter or number answers only if it is pressed alone, at least half a second after the question appeared and after the last
key, and while the prompt is empty. Anything else you type or paste goes into the prompt below the question, and Enter queues
it. To answer while there is text in the prompt, press an arrow key to select an answer, then Enter. A letter that was typed on its
own before you can have seen the question is dropped, and is never sent to the model.

${PLANS_AND_SUBAGENTS}## While the agent works

A message that you send meanwhile is queued, and the model reads it together with the next tool result. If it calls no further tool, the
message is sent when the turn ends. Commands wait for the end of the turn, and so do the messages after them. An interrupt
puts what is queued back into the prompt.

Code blocks have colors for a dark or a light background ([\`ui.theme\`](settings.md)); added and removed lines are blue and orange, and
success and failure blue and orange or red. Each also has a sign of its own.
\`NO_COLOR\` turns colors off. \`TERM=dumb\` has no interactive session; use [\`caliban -p\`](cli.md#scripts-and-ci--p). Control
characters in the output of models, tools and files are escaped, and links show their target.`;
