import type { RunCommand } from "../command.ts";

export interface OptionRow {
  /** As commander reads it, such as `--workspace <directory>`. */
  readonly flags: string;
  readonly doc: string;
  /** Given several times, it is a list. */
  readonly repeatable?: boolean;
  /** Commands that take it besides a conversation. */
  readonly alsoFor?: readonly string[];
}

export interface CommandRow {
  readonly name: string;
  /** What stands after the name, such as `<key> <value...>`. */
  readonly operands?: string;
  readonly doc: string;
  readonly options?: readonly OptionRow[];
  readonly subcommands?: readonly CommandRow[];
  /** Loads the command when it is called: what only a rare one needs is not loaded for the others. */
  readonly load: () => Promise<RunCommand>;
}
