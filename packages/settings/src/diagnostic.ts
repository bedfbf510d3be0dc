import {
  type Diagnostic,
  isErrorNamed,
  shellCommand,
  spellCommands,
  type SpellCommand,
} from "@caliban/common";

export type SettingsDiagnosticCode =
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

/** A problem with the settings: in a file, in an environment variable, or in what was typed. */
export interface SettingsDiagnostic extends Diagnostic<SettingsDiagnosticCode> {
  /** Counted from 1. */
  readonly column?: number | undefined;
  /** The environment variable it is about, instead of a file. */
  readonly variable?: string | undefined;
}

/** Renders `file:line:column: message`, the form that editors and terminals can jump to. What was typed has no location. */
export function renderDiagnostic(
  diagnostic: SettingsDiagnostic,
  command: SpellCommand = shellCommand,
): string {
  const { path, variable, line, column } = diagnostic;
  const message = spellCommands(diagnostic, command);
  const subject = path ?? variable;
  if (subject === undefined) return message;
  const location = [subject, line, column].filter((part) => part !== undefined);
  return `${location.join(":")}: ${message}`;
}

/** The user's own settings are broken. Ignoring them could drop a rule that the user relies on. */
export class SettingsError extends Error {
  override readonly name = "SettingsError" as const;
  readonly problems: readonly SettingsDiagnostic[];

  constructor(problems: readonly SettingsDiagnostic[], options?: ErrorOptions) {
    super(problems.map((problem) => renderDiagnostic(problem)).join("\n"), options);
    this.problems = problems;
  }

  /** The code of the first problem, which is the one to fix first. */
  get code(): SettingsDiagnosticCode | undefined {
    return this.problems[0]?.code;
  }
}

/** Whether an error is a SettingsError of this copy of the package or of another one. */
export function isSettingsError(error: unknown): error is SettingsError {
  return isErrorNamed(error, "SettingsError") && "problems" in error;
}
