import type { ExitCode } from "./exit-code.ts";
import type { Host } from "./host.ts";

/** What the command line said, after parsing. */
export interface Invocation {
  readonly host: Host;
  readonly operands: readonly string[];
  readonly workspace: string | undefined;
  /** Directories of `--add-dir`. */
  readonly additionalDirectories: readonly string[];
  /** `--bare`: nothing on disk changes the prompt. */
  readonly bare: boolean;
  /** `--no-memory` makes it false: the tiers of this run are left out. */
  readonly memory: boolean;
  readonly json: boolean;
}

/** A command line with nothing but a command. */
export const NO_OPTIONS: Omit<Invocation, "host"> = {
  operands: [],
  workspace: undefined,
  additionalDirectories: [],
  bare: false,
  memory: true,
  json: false,
};

/** What a command answers. It prints nothing itself. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr?: string;
  readonly exitCode: ExitCode;
}

export type RunCommand = (invocation: Invocation) => Promise<CommandResult>;
