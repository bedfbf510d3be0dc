import { commandPrefix } from "./shell/command-prefix.ts";
import { parseLine } from "./shell/parse-line.ts";
import { type CommandReads, readOnlyCommand } from "./shell/read-only-command.ts";

/** One of the commands in a command line. */
export interface CommandPart {
  readonly text: string;
  /** The pattern that "always" offers for it, such as `git status *`. */
  readonly prefix?: string | undefined;
  /** What it reads. `undefined` for a command that may do more than read, or that reads what it may not. */
  readonly reads?: PartReads | undefined;
}

/** What a command that changes nothing reads, in files that may be read. */
export interface PartReads {
  /** As the Read tool names them. */
  readonly files: readonly string[];
  readonly shows: CommandReads["shows"];
}

/** A command of a line, with what it would open. Only the caller knows what that leads to. */
export interface ParsedPart extends Omit<CommandPart, "reads"> {
  readonly reads?: CommandReads | undefined;
}

/** Splits a command line into its commands. Returns `undefined` if it is not certain what a shell would run. */
export function parseCommand(line: string): readonly ParsedPart[] | undefined {
  return parseLine(line)?.map((command) => ({
    text: command.text,
    prefix: commandPrefix(command),
    reads: readOnlyCommand(command),
  }));
}
