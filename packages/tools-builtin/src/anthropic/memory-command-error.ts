import { sanitizeLine } from "../memory/sanitize-line.ts";

/** Why a command was not carried out, as the model is to read it. */
export class MemoryCommandError extends Error {
  override readonly name = "MemoryCommandError" as const;
}

const MOST_CHARACTERS = 300;

/** What a model sent, in a sentence of ours: short, and on one line. */
export function quoteLine(text: string): string {
  return sanitizeLine(text, MOST_CHARACTERS);
}
