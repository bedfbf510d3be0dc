import type { ExitCode } from "./exit-code.ts";
import type { Host } from "./host.ts";

/** What the command line said, after parsing. */
export interface Invocation {
  readonly host: Host;
  readonly operands: readonly string[];
  readonly workspace: string | undefined;
  readonly json: boolean;
}

/** What a command answers. It prints nothing itself. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr?: string;
  readonly exitCode: ExitCode;
}

export type RunCommand = (invocation: Invocation) => Promise<CommandResult>;
