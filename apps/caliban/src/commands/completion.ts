import { nearest } from "@caliban/common";
import type { CommandResult, Invocation } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { UsageError } from "../usage-error.ts";
import { type CommandRow, type OptionRow, optionShape } from "../cli/table/command-row.ts";
import { COMMANDS } from "../cli/table/commands.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "../cli/table/options.ts";

/** `caliban completion <shell>`: a script that completes commands, subcommands and options. */
export async function printCompletion({ operands }: Invocation): Promise<CommandResult> {
  const [shell = ""] = operands;
  const render = SCRIPTS.get(shell);
  if (render !== undefined) return { stdout: render(candidates()), exitCode: EXIT.done };
  const shells = [...SCRIPTS.keys()];
  const meant = nearest(shell, shells);
  const hint = meant === undefined ? "" : `; did you mean '${meant}'?`;
  throw new UsageError(`no completion for '${shell}', only for ${shells.join(", ")}${hint}`);
}

/** What can follow a command: `["memory", "write"]` with its options, `["memory"]` with its subcommands. */
interface Candidates {
  readonly path: readonly string[];
  readonly words: readonly string[];
}

function candidates(): readonly Candidates[] {
  const global = GLOBAL_OPTIONS.flatMap(spellings);
  const below = (row: CommandRow, parents: readonly CommandRow[]): readonly Candidates[] => {
    const rows = [...parents, row];
    const words = [
      ...(row.subcommands ?? []).map(({ name }) => name),
      ...(row.defaultVerbs?.slice(0, 1) ?? []),
      ...(row.options ?? []).flatMap(spellings),
      ...global,
    ];
    const path = rows.map(({ name }) => name);
    return [{ path, words }, ...(row.subcommands ?? []).flatMap((each) => below(each, rows))];
  };
  const top = [
    ...COMMANDS.map(({ name }) => name),
    "help",
    ...CONVERSATION_OPTIONS.flatMap(spellings),
    ...global,
  ];
  return [{ path: [], words: top }, ...COMMANDS.flatMap((row) => below(row, []))];
}

function spellings(row: OptionRow): readonly string[] {
  const { long, short } = optionShape(row);
  return short === undefined ? [long] : [short, long];
}

const SCRIPTS: ReadonlyMap<string, (all: readonly Candidates[]) => string> = new Map([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
]);

/** A word that is neither an option nor a known path leaves the path as it is, so values of options do no harm. */
function bashScript(all: readonly Candidates[]): string {
  return `_caliban() {
  local path="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${pathCases(all, (name) => `path="${name}"`)}
    esac
  done
  case "$path" in
${wordCases(all, (words) => `words="${words}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _caliban caliban
`;
}

function zshScript(all: readonly Candidates[]): string {
  return `#compdef caliban
_caliban() {
  local at="" word list
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${pathCases(all, (name) => `at="${name}"`)}
    esac
  done
  case "$at" in
${wordCases(all, (words) => `list="${words}"`)}
  esac
  compadd -- \${=list} || _files
}
compdef _caliban caliban
`;
}

function fishScript(all: readonly Candidates[]): string {
  return `function __caliban_words
  set -l at ""
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
${all
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      case "${spaced(path)}"\n        set at "${spaced(path)}"`)
  .join("\n")}
    end
  end
  switch "$at"
${all.map(({ path, words }) => `    case "${spaced(path)}"\n      string split " " -- "${words.join(" ")}"`).join("\n")}
  end
end
complete -c caliban -a "(__caliban_words)"
`;
}

function pathCases(all: readonly Candidates[], set: (name: string) => string): string {
  return all
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      "${spaced(path)}") ${set(spaced(path))} ;;`)
    .join("\n");
}

function wordCases(all: readonly Candidates[], set: (words: string) => string): string {
  return all
    .map(({ path, words }) => `    "${spaced(path)}") ${set(words.join(" "))} ;;`)
    .join("\n");
}

/** ` memory write`: with a leading space, as the scripts join words. */
function spaced(path: readonly string[]): string {
  return path.map((name) => ` ${name}`).join("");
}
