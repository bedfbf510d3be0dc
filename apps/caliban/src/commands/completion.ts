import { nearest } from "@caliban/common";
import type { CommandResult, Invocation } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { UsageError } from "../usage-error.ts";
import { type CommandRow, type OptionRow, optionShape } from "../cli/table/command-row.ts";
import { COMMANDS } from "../cli/table/commands.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "../cli/table/options.ts";
import { completeLine, takesCandidates } from "./candidates/complete-line.ts";
import { type Place, SHELL_SCRIPTS } from "./completion-scripts.ts";

/** `caliban completion <shell>`: a completion script; with words, what the last of them can be. */
export async function printCompletion(invocation: Invocation): Promise<CommandResult> {
  const [shell = "", ...words] = invocation.operands;
  const render = SHELL_SCRIPTS.get(shell);
  if (render === undefined) throw unknownShell(shell);
  if (words.length === 0) return { stdout: render(places()), exitCode: EXIT.done };
  const partial = words.at(-1) ?? "";
  const found = await completeLine({ words: words.slice(0, -1), partial, invocation });
  const lines = found.map(({ name, doc }) => (shell === "fish" ? `${name}\t${doc}` : name));
  return { stdout: lines.map((line) => `${line}\n`).join(""), exitCode: EXIT.done };
}

function unknownShell(shell: string): UsageError {
  const shells = [...SHELL_SCRIPTS.keys()];
  const meant = nearest(shell, shells);
  const hint = meant === undefined ? "" : `; did you mean '${meant}'?`;
  return new UsageError(`no completion for '${shell}', only for ${shells.join(", ")}${hint}`);
}

function places(): readonly Place[] {
  const global = GLOBAL_OPTIONS.flatMap(spellings);
  const below = (row: CommandRow, parents: readonly CommandRow[]): readonly Place[] => {
    const rows = [...parents, row];
    const words = [
      ...(row.subcommands ?? []).map(({ name }) => name),
      ...(row.defaultVerbs?.slice(0, 1) ?? []),
      ...(row.options ?? []).flatMap(spellings),
      ...global,
    ];
    const path = rows.map(({ name }) => name);
    const { aliases = [] } = row;
    const place = { path, aliases, words, isLookedUp: takesCandidates(rows) };
    return [place, ...(row.subcommands ?? []).flatMap((each) => below(each, rows))];
  };
  const words = [
    ...COMMANDS.map(({ name }) => name),
    "help",
    ...CONVERSATION_OPTIONS.flatMap(spellings),
    ...global,
  ];
  const top = { path: [], aliases: [], words, isLookedUp: false };
  return [top, ...COMMANDS.flatMap((row) => below(row, []))];
}

function spellings(row: OptionRow): readonly string[] {
  const { long, short } = optionShape(row);
  return short === undefined ? [long] : [short, long];
}
