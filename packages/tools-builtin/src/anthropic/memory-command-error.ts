import { sanitizeLine } from "../memory/sanitize-line.ts";

/** A failed command. The message is for the model. No other name than `Error`, because the AI SDK shows the name, too. */
export class MemoryCommandError extends Error {
  /** Tells a refusal from a bug, also across copies of this package. */
  readonly code = "COMMAND_FAILED" as const;
}

/** Whether an error is a MemoryCommandError of this copy of the package or of another one. */
export function isMemoryCommandError(error: unknown): error is MemoryCommandError {
  return error instanceof Error && "code" in error && error.code === "COMMAND_FAILED";
}

const MAX_CHARACTERS = 300;

/** Quotes what the model sent: short and on one line. */
export function quoteLine(text: string): string {
  return sanitizeLine(text, MAX_CHARACTERS);
}
