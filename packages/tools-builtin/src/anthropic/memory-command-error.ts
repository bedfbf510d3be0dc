import { sanitizeLine } from "../memory/sanitize-line.ts";

/** A failed command. The message is for the model. No other name than `Error`, because the AI SDK shows the name, too. */
export class MemoryCommandError extends Error {
  /** Tells a refusal from a bug, also across copies of this package. */
  readonly code = "COMMAND_FAILED" as const;
}

const MAX_CHARACTERS = 300;

/** Quotes what the model sent: short and on one line. */
export function quoteLine(text: string): string {
  return sanitizeLine(text, MAX_CHARACTERS);
}
