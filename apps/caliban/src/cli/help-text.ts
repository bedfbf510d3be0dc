/** What `caliban --help` prints; made from the command table by `pnpm run docs`. */
export const HELP_TEXT: string = `\
Usage: caliban [options] [command | "message"]

A coding agent in the terminal that remembers.

Options:
  -V, --version                  Print the version.
  --workspace <directory>        Work in this directory instead of the current
                                 one.
  --add-dir <directory>          Let the agent use this directory as well; may
                                 be given several times.
  --allow <rule>                 Let the agent use a tool without asking, such
                                 as \`memory.write\`; may be given several times.
  --ask <rule>                   Ask before a tool is used.
  --deny <rule>                  Keep a tool from being used.
  --no-memory                    Leave every memory tier out of this run, and
                                 learn nothing from it.
  --bare                         Read no settings and no memory: nothing on disk
                                 changes the prompt.
  -h, --help                     Show this help.

Options of a conversation:
  -p, --print [text]             Answer this text, or what is piped in, on
                                 stdout and end; never asks.
  --output-format <format>       With -p: \`text\` (default), \`json\` or
                                 \`stream-json\`.
  --input-format <format>        With -p: \`text\` (default), or \`stream-json\` for
                                 one message a line on stdin.
  --max-turns <number>           Most requests to the model for one message.
  --model <provider/model>       Use this model, such as
                                 \`anthropic/claude-sonnet-5-5\` or
                                 \`offline/rehearsal\`.
  --mode <mode>                  Permissions: \`default\`, \`accept-edits\`, \`plan\`
                                 or \`yolo\`.
  --system <text>                Put this in the place of caliban's own system
                                 prompt; memory stays.
  --system-file <path>           The same, from a file.
  --append-system-prompt <text>  Put this at the end of the system prompt.
  -c, --continue                 Go on with the latest session of this
                                 workspace.
  -r, --resume [id]              Go on with a session; without an id, choose one
                                 on the screen.
  --session <name>               Go on with the session of this name, or begin
                                 it.
  --no-save                      Keep no record of this session.
  --no-learn                     Keep this session out of what the background
                                 pipeline learns from.

Commands:
  memory [options]               Show the memory tiers with their paths and
                                 token counts.
  sessions [options]             List the stored conversations of this project,
                                 newest first.
  mcp [options]                  Serve this project's memory to other agents by
                                 the Model Context Protocol, on stdin and
                                 stdout; the directory is that of --workspace,
                                 else the client's root, else the current one.
  prompt                         Print the exact system prompt of this
                                 directory.
  settings [options]             Show every setting, its value and where it
                                 comes from.
  doctor [options]               Look for what keeps caliban from working here,
                                 and say what to do about it.
  help [command]                 Show help for a command.
`;
