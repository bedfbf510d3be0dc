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
  /** Permission rules of `--allow`, `--ask` and `--deny`. */
  readonly permissions: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
  /** What the command's own options were set to, by their names in camelCase. */
  readonly options: CommandOptions;
}

type CommandOptions = Readonly<Record<string, string | boolean | undefined>>;

/** The text of an option that takes one. */
export function textOption(
  { options }: Pick<Invocation, "options">,
  name: string,
): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** A command line with nothing but a command. */
export const NO_OPTIONS: Omit<Invocation, "host"> = {
  operands: [],
  workspace: undefined,
  additionalDirectories: [],
  bare: false,
  memory: true,
  json: false,
  permissions: { allow: [], ask: [], deny: [] },
  options: {},
};

/** What a command answers. It prints nothing itself. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr?: string;
  readonly exitCode: ExitCode;
}

export type RunCommand = (invocation: Invocation) => Promise<CommandResult>;
