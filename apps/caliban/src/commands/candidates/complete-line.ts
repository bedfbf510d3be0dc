import { type CommandRow, type OptionRow, optionShape } from "../../cli/table/command-row.ts";
import { COMMANDS } from "../../cli/table/commands.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "../../cli/table/options.ts";
import { ALL_OPTIONS } from "../../cli/tokens.ts";
import type { Invocation } from "../../command.ts";
import { type Candidate, toCandidates } from "./candidate.ts";
import type { CandidateKind } from "./list-candidates.ts";

export interface CompleteInput {
  /** The words of the command line before the one that is completed, without the name of the program. */
  readonly words: readonly string[];
  /** The beginning of that one. */
  readonly partial: string;
  readonly invocation: Invocation;
}

/** A kind of thing, or the words themselves. */
type Completion = CandidateKind | readonly string[];

/** What each operand takes, by its path and spelling, or by its spelling alone. */
const OPERANDS: Readonly<Record<string, Completion | undefined>> = {
  "<slug>": "topic",
  "[slug]": "topic",
  "<session>": "session",
  "<key>": "setting",
  "<value...>": "value",
  "<shell>": ["bash", "zsh", "fish"],
  "memory edit <target>": "editable",
  "memory write <slug>": "topic",
  "memory diff [id]": "change",
  "memory undo [id]": "change",
  "memory restore [name]": "removed",
  "memory inbox [action]": ["list", "show", "accept", "reject", "review"],
  "memory inbox [id]": "proposal",
  "memory team approve [key]": [],
  "memory team revoke <key>": [],
  "serve token [action]": ["list", "add", "remove"],
  "mcp remove <name>": "server",
  "mcp login <name>": "server",
  "mcp logout <name>": "server",
  "mcp approve <name>": "server",
  "mcp forget <name>": "server",
};

/** What the value of an option is, by its path and name, or by its name alone. */
const OPTIONS: Readonly<Record<string, Completion | undefined>> = {
  "--model": "model",
  "--resume": "session",
  "--mode": "mode",
  "--allow": "rule",
  "--ask": "rule",
  "--deny": "rule",
  "--type": "topic-type",
  "--supersedes": "topic",
  "--kind": ["topics", "sessions", "all"],
  "--output-format": ["text", "json", "stream-json"],
  "--input-format": ["text", "stream-json"],
  "memory move --to": ["user", "project"],
  "memory export --to": ["claude", "agents-md", "json", "tar"],
  "memory copy --to": ["postgres", "files"],
  "memory import --from": ["claude", "codex", "gemini", "agents-md", "dir"],
};

/** Completes a word of a command line. Empty where anything can be typed, such as a file. */
export async function completeLine(input: CompleteInput): Promise<readonly Candidate[]> {
  const { words, partial, invocation } = input;
  const line = readLine(words);
  const { path, operands, awaiting, options } = line;
  if (awaiting === undefined && partial.startsWith("-")) return flagsOf(path);
  const name = path.map((row) => row.name).join(" ");
  const completion =
    awaiting === undefined
      ? operandCompletion(name, path.at(-1), operands.length)
      : (OPTIONS[`${name} ${awaiting}`] ?? OPTIONS[awaiting]);
  if (typeof completion === "object")
    return toCandidates(completion.map((each) => ({ name: each })));
  const below = awaiting === undefined && operands.length === 0 ? subcommandsOf(path) : [];
  if (completion === undefined) return below;
  const { LISTS } = await import("./list-candidates.ts");
  const { user = invocation.options["user"] } = options;
  const workspace = typeof options["workspace"] === "string" ? options["workspace"] : undefined;
  const typed: Invocation = {
    ...invocation,
    workspace: workspace ?? invocation.workspace,
    options: { user: user === true },
  };
  return [...below, ...(await LISTS[completion]({ invocation: typed, operands }))];
}

interface ReadLine {
  readonly path: readonly CommandRow[];
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
  /** The option whose value comes next. */
  readonly awaiting: string | undefined;
}

/** Reads the beginning of a command line, which need not be valid. */
function readLine(words: readonly string[]): ReadLine {
  const path: CommandRow[] = [];
  const operands: string[] = [];
  const options: Record<string, string | boolean> = {};
  let awaiting: { readonly long: string; readonly name: string } | undefined;
  for (const word of words) {
    const option = word.startsWith("-") ? findOption(path, word) : undefined;
    if (awaiting !== undefined && option === undefined) {
      options[awaiting.name] = word;
      awaiting = undefined;
    } else if (option !== undefined) {
      const { name, long, value } = optionShape(option);
      options[name] = true;
      awaiting = value === "none" || word.includes("=") ? undefined : { long, name };
    } else if (!word.startsWith("-")) {
      const row = operands.length === 0 ? findRow(path, word) : undefined;
      if (row === undefined) operands.push(word);
      else path.push(row);
    }
  }
  return { path, operands, options, awaiting: awaiting?.long };
}

function findRow(path: readonly CommandRow[], word: string): CommandRow | undefined {
  const rows = path.length === 0 ? COMMANDS : (path.at(-1)?.subcommands ?? []);
  return rows.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
}

function findOption(path: readonly CommandRow[], word: string): OptionRow | undefined {
  const [typed = ""] = word.split("=", 1);
  // An option may come before the command that it belongs to.
  return [...optionsOf(path), ...ALL_OPTIONS].find((row) => {
    const { long, short } = optionShape(row);
    return typed === long || typed === short;
  });
}

function optionsOf(path: readonly CommandRow[]): readonly OptionRow[] {
  const own =
    path.length === 0 ? CONVERSATION_OPTIONS : path.flatMap(({ options = [] }) => options);
  return [...own, ...GLOBAL_OPTIONS];
}

function flagsOf(path: readonly CommandRow[]): readonly Candidate[] {
  return toCandidates(
    optionsOf(path).map((row) => ({ name: optionShape(row).long, doc: row.doc })),
  );
}

function subcommandsOf(path: readonly CommandRow[]): readonly Candidate[] {
  return toCandidates(path.length === 0 ? COMMANDS : (path.at(-1)?.subcommands ?? []));
}

function operandCompletion(
  name: string,
  row: CommandRow | undefined,
  index: number,
): Completion | undefined {
  const all = (row?.operands ?? "").split(" ").filter((operand) => operand !== "");
  const last = all.at(-1);
  const operand = all[index] ?? (last?.includes("...") === true ? last : undefined);
  return operand === undefined ? undefined : (OPERANDS[`${name} ${operand}`] ?? OPERANDS[operand]);
}

/** Whether the operands of a command are things that only a lookup can list. */
export function takesCandidates(path: readonly CommandRow[]): boolean {
  const name = path.map((row) => row.name).join(" ");
  const operands = (path.at(-1)?.operands ?? "").split(" ");
  return operands.some(
    (operand) => (OPERANDS[`${name} ${operand}`] ?? OPERANDS[operand]) !== undefined,
  );
}
