import type { ToolItem, ToolItemResult } from "./items.ts";

/** What a command has printed. */
export interface CommandOutput {
  readonly lines: readonly string[];
  /** How many lines there were; more than `lines` where the middle was left out. */
  readonly total: number;
}

const NO_OUTPUT: CommandOutput = { lines: [], total: 0 };

/** The output of a command, running or ended; `undefined` for any other call, and for a command that did not run. */
export function commandOutput({ name, progress, result }: ToolItem): CommandOutput | undefined {
  if (name !== "Bash") return undefined;
  if (result !== undefined) return endedOutput(result);
  return progress === undefined ? undefined : outputOf(progress.text, progress.lines);
}

function endedOutput(result: ToolItemResult): CommandOutput | undefined {
  const total = result.facts?.["lines"];
  // A command that was refused or failed to start has no lines, and an old one that failed has an exit code.
  const hasRun = result.facts === undefined && (!result.isError || exitCode(result) !== undefined);
  if (total === undefined && !hasRun) return undefined;
  if (total === 0) return NO_OUTPUT;
  const end = endOfOutput(result);
  const { lines } = outputOf(result.text.slice(0, end));
  return { lines, total: typeof total === "number" ? total : lines.length };
}

/** The exit code; `undefined` for a command that did not run to its end. */
export function exitCode({ facts, text }: ToolItemResult): number | undefined {
  const code = facts?.["exitCode"];
  if (typeof code === "number") return code;
  const stored =
    facts === undefined ? /^Exit code (\d+)\./m.exec(lastParagraph(text))?.[1] : undefined;
  return stored === undefined ? undefined : Number(stored);
}

/** The last paragraphs say how the command ended; without output there is nothing before them. */
function endOfOutput({ text, facts }: ToolItemResult): number {
  const ended = facts?.["ended"];
  const at = typeof ended === "string" ? text.lastIndexOf(`\n\n${ended}`) : -1;
  return Math.max(0, at === -1 ? text.lastIndexOf("\n\n") : at);
}

function lastParagraph(text: string): string {
  return text.slice(text.lastIndexOf("\n\n") + 1).trimStart();
}

function outputOf(text: string, total?: number): CommandOutput {
  const shown = text.trimEnd();
  if (shown === "") return NO_OUTPUT;
  const lines = shown.split("\n");
  return { lines, total: total ?? lines.length };
}
