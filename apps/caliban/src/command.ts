import type { ExitCode } from "./exit-code.ts";
import type { Host } from "./host.ts";

/** The parsed command line. */
export interface Invocation {
  readonly host: Host;
  readonly operands: readonly string[];
  readonly workspace: string | undefined;
  /** Directories of `--add-dir`. */
  readonly additionalDirectories: readonly string[];
  /** `--bare`: nothing on disk changes the prompt. */
  readonly bare: boolean;
  /** False with `--no-memory`: this run loads no memory tiers. */
  readonly memory: boolean;
  readonly json: boolean;
  /** Permission rules of `--allow`, `--ask` and `--deny`. */
  readonly permissions: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
  /** The values of the command's own options, by their camelCase names. */
  readonly options: CommandOptions;
}

type CommandOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The value of an option that takes a text. */
export function textOption(
  { options }: Pick<Invocation, "options">,
  name: string,
): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** The values of an option that can be given several times. */
export function listOption(
  { options }: Pick<Invocation, "options">,
  name: string,
): readonly string[] {
  const value = options[name];
  return typeof value === "object" ? value : [];
}

/** The defaults of a command line without options. */
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

/** The result of a command, which prints nothing itself. */
export interface CommandResult {
  readonly stdout: string;
  /** Messages besides the result, one line each. They are escaped and labeled where they are printed. */
  readonly stderr?: readonly string[];
  readonly exitCode: ExitCode;
}

export type RunCommand = (invocation: Invocation) => Promise<CommandResult>;
