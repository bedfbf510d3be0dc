import { spellCommands, terminalSafe, terminalSafeLine } from "@caliban/common";
import type { ParsedSlash } from "@caliban/tui";
import { renderDiagnostic, isSettingsError } from "@caliban/settings";
import type { Host } from "../../../host.ts";
import { isUsageError } from "../../../usage-error.ts";
import type { SlashInput, SlashResult, SlashRow } from "./slash-command.ts";

/** Runs a parsed slash command. */
export async function runSlash(
  parsed: ParsedSlash<SlashRow>,
  input: Omit<SlashInput, "rest" | "words">,
): Promise<SlashResult> {
  if (parsed.kind === "unknown") return await runUnknown(parsed, input);
  const { row, rest, words } = parsed;
  if (rest !== "" && row.operands === undefined) return unexpectedArgument(row.name, rest);
  try {
    const run = await row.load();
    return await run({ ...input, rest, words });
  } catch (error) {
    return slashFailure(error, input.invocation.host);
  }
}

/** A name that is not in the table may be that of a custom command or a skill. */
async function runUnknown(
  parsed: ParsedSlash<SlashRow> & { readonly kind: "unknown" },
  input: Omit<SlashInput, "rest" | "words">,
): Promise<SlashResult> {
  if (parsed.name === "") return { kind: "error", text: "not a command. Type /help for a list" };
  const { runNamed } = await import("./run-named.ts");
  return await runNamed(parsed, input);
}

/** An argument is never ignored: the user meant something by it. */
function unexpectedArgument(name: string, rest: string): SlashResult {
  const text = `/${name} takes no arguments, but got "${shortLine(rest)}". Nothing was done`;
  return { kind: "error", text };
}

function shortLine(text: string): string {
  const line = terminalSafeLine(text.replaceAll(/\s+/g, " "));
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}

/** Describes a failed command. A bug in caliban shows its stack, and the conversation continues. */
function slashFailure(error: unknown, { command }: Host): SlashResult {
  if (isSettingsError(error)) {
    const lines = error.problems.map((problem) => renderDiagnostic(problem, command));
    return { kind: "error", text: lines.map(terminalSafeLine).join("\n") };
  }
  if (isUsageError(error) || hasCode(error)) {
    return { kind: "error", text: terminalSafeLine(spellCommands(error, command)) };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    kind: "error",
    text: `this is a bug in caliban, please report it:\n${terminalSafe(stack)}`,
  };
}

/** Expected errors of our packages and of the system carry a code. */
function hasCode(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
