import { sanitizeLine } from "../memory/sanitize-line.ts";

/** Why a command failed, for the model to read. */
export class MemoryCommandError extends Error {
  override readonly name = "MemoryCommandError" as const;
}

const MAX_CHARACTERS = 300;

/** Quotes what the model sent: short and on one line. */
export function quoteLine(text: string): string {
  return sanitizeLine(text, MAX_CHARACTERS);
}
