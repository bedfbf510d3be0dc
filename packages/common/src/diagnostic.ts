/** A problem, a notice or a warning as data: the code is for programs, the message for people. */
export interface Diagnostic<Code extends string = string> {
  readonly code: Code;
  /** One or two plain sentences: what is wrong, then what to do. */
  readonly message: string;
  /** The file it is about. */
  readonly path?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
}
