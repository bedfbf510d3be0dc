import { type CommandMessage, isErrorNamed } from "@caliban/common";

/** The command was called in a way that cannot work; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = "UsageError" as const;
  /** The message in parts, if it names a command. */
  readonly parts: CommandMessage["parts"];

  constructor(message: string | CommandMessage) {
    super(typeof message === "string" ? message : message.message);
    this.parts = typeof message === "string" ? undefined : message.parts;
  }
}

/** Whether an error is a UsageError of this copy of the package or of another one. */
export function isUsageError(error: unknown): error is UsageError {
  return isErrorNamed(error, "UsageError");
}
