import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { renderProblem, SettingsError } from "@caliban/settings";
import { UsageError } from "../../../usage-error.ts";
import type { SlashResult } from "./slash-command.ts";

/** A failed command in words. A bug of ours shows its stack, and the conversation goes on. */
export function slashFailure(error: unknown): SlashResult {
  if (error instanceof SettingsError) {
    return {
      kind: "mistake",
      text: error.problems.map(renderProblem).map(terminalSafeLine).join("\n"),
    };
  }
  if (error instanceof UsageError || hasCode(error)) {
    return { kind: "mistake", text: terminalSafeLine(error.message) };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    kind: "mistake",
    text: `this is a bug in caliban, please report it:\n${terminalSafe(stack)}`,
  };
}

/** Errors of our packages and of the system say by a code that they were expected. */
function hasCode(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
