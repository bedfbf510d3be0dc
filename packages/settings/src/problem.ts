export type SettingsProblemCode =
  | "FILE_UNREADABLE"
  | "FILE_UNWRITABLE"
  | "SYNTAX"
  | "WRONG_TYPE"
  | "GIVEN_TWICE"
  | "UNKNOWN_KEY"
  | "KEY_IN_SETTINGS"
  | "NOT_FOR_PROJECTS"
  | "NO_EFFECT"
  | "BAD_VARIABLE"
  | "UNKNOWN_VARIABLE";

/** Something wrong with the settings, where it is, and what to do, in a sentence. */
export interface SettingsProblem {
  readonly code: SettingsProblemCode;
  /** The file's path or the variable's name. */
  readonly where: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
}

/** `file:line:column: sentence`, the form editors and terminals can jump to. */
export function renderProblem({ where, line, column, message }: SettingsProblem): string {
  const place = [where, line, column].filter((part) => part !== undefined).join(":");
  return `${place}: ${message}`;
}

/** The person's own settings are broken. Going on without them could drop a rule they rely on. */
export class SettingsError extends Error {
  override readonly name = "SettingsError" as const;
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[], options?: ErrorOptions) {
    super(problems.map(renderProblem).join("\n"), options);
    this.problems = problems;
  }

  /** The code of the first problem, which is the one to mend first. */
  get code(): SettingsProblemCode | undefined {
    return this.problems[0]?.code;
  }
}
