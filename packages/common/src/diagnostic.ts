import type { CommandMessage } from "./command-message.ts";

/**
 * A problem, a notice or a warning as data: the code is for programs, the message for people. A message is one or two
 * plain sentences: what is wrong, then what to do.
 */
export interface Diagnostic<Code extends string = string> extends CommandMessage {
  readonly code: Code;
  /** The file it is about. */
  readonly path?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
}
