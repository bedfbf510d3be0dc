import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { renderHelp } from "../../src/cli/help.ts";
import type { CommandRow } from "../../src/cli/table/command-row.ts";
import { COMMANDS } from "../../src/cli/table/commands.ts";

const PATHS: readonly (readonly CommandRow[])[] = [
  ...COMMANDS.map((row) => [row]),
  ...COMMANDS.flatMap((row) => (row.subcommands ?? []).map((below) => [row, below])),
];

const plain = (path: readonly CommandRow[]): string => renderHelp(path, { hasColor: false });

function memoryPath(subcommand: string): readonly CommandRow[] {
  return PATHS.find((path) => path[0]?.name === "memory" && path[1]?.name === subcommand) ?? [];
}

describe("renderHelp", () => {
  it("fits the overview on a screen of 80 by 40", () => {
    const lines = plain([]).trimEnd().split("\n");
    expect(lines.length).toBeLessThan(41);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it("shows the whole overview", () => {
    expect(plain([])).toMatchInlineSnapshot(`
      "A coding agent for the terminal that remembers.

      Usage: caliban [options] ["message"]
             caliban [options] <command>

      Commands:
        memory                         Show, search and edit what the agent remembers
        sessions                       List, export and remove stored conversations
        mcp                            Serve memory over MCP, and manage MCP servers
        hooks                          List hooks, and approve those of a repository
        hook                           Give other agents memory notes by their hooks
        acp                            Work in an editor (Agent Client Protocol)
        page                           Show and edit memory in the browser
        serve                          Serve memory to other programs over a REST API
        prompt                         Print the system prompt for this directory
        settings                       Show and change settings
        doctor                         Check this installation and suggest fixes
        completion                     Print a completion script for bash, zsh or fish

      Conversation options:
        -p, --print [prompt]           Print one answer to stdout and exit; never asks
        --output-, --input-format <…>  With -p: text (default), json or stream-json
        --max-turns <number>           Limit the model requests for each message
        --model <provider/model>       Use this model, e.g. openai/gpt-5
        --mode <mode>                  default, accept-edits, plan or yolo
        --system, --system-file <…>    Replace the built-in system prompt
        --append-system-prompt <text>  Append this to the system prompt
        -c, --continue, -r, --resume   Continue the latest session; choose another
        --session <name>               Resume the session of this name, or start it
        --no-save, --no-learn          Do not store this session; never learn from it

      Options for every command:
        --workspace, --add-dir <…>     Work in this directory; add another one
        --allow, --ask, --deny <rule>  Add a permission rule for this run
        --no-memory                    Run without memory, and learn nothing from it
        --bare                         Ignore all settings and memory
        -h, --help                     Show help; also for a single command
        -V, --version                  Print the version

      Run 'caliban help <command>' for the options of a command.
      "
    `);
  });

  it("groups the memory subcommands and does not list aliases as commands", () => {
    const help = plain(PATHS.find(([row]) => row?.name === "memory") ?? []);
    expect(help.match(/^[A-Z].*:$/gm)).toEqual([
      "Read:",
      "Write:",
      "Inbox:",
      "Enforce:",
      "History:",
      "Learned memory:",
      "Team:",
      "Import and export:",
      "Options:",
      "Example:",
    ]);
    expect(help).not.toMatch(/enqueue|reset/);
  });

  it("shows the options of a subcommand, one example and where the global options are", () => {
    expect(plain(memoryPath("rm"))).toMatchInlineSnapshot(`
      "Remove a topic; \`undo\` restores it.

      Usage: caliban memory rm [options] <slug>

      Options:
        --purge  Erase it from the history too; this cannot be undone
        --force  Do not ask for confirmation
        --user   Use the topics about you, which hold in every project
        --json   Print JSON

      Example:
        caliban memory rm deploy-checklist

      Options for every command, such as --workspace: run 'caliban --help'.
      "
    `);
  });

  it("names the aliases in the help of their command", () => {
    expect(plain(memoryPath("clear"))).toContain("Aliases: reset\n");
  });

  it("shows the conversation options that a command accepts", () => {
    const help = plain(PATHS.find(([row]) => row?.name === "prompt") ?? []);
    expect(help).toContain("--system-file <path>");
    expect(help).not.toContain("--print");
  });

  it("never breaks a line inside a word, and keeps every line but an example within 80 columns", () => {
    for (const path of [[], ...PATHS]) {
      const help = plain(path);
      const lines = help.split("\n").filter((line) => line.length > 80);
      expect(lines.filter((line) => line.trim() !== path.at(-1)?.example)).toEqual([]);
      const words = `${path.at(-1)?.doc ?? ""} ${path.at(-1)?.details ?? ""}`.trim().split(" ");
      for (const word of words) expect(help).toContain(word);
    }
  });

  it("adds nothing but color on a terminal with colors", () => {
    for (const path of [[], ...PATHS]) {
      const colored = renderHelp(path, { hasColor: true });
      expect(colored).toContain("\u001B[");
      expect(stripVTControlCharacters(colored)).toBe(plain(path));
    }
  });
});
