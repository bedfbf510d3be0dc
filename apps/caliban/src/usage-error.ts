/** The command was called in a way that cannot work; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = "UsageError" as const;
}
