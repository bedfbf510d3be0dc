import {
  expandTilde,
  isAbsolutePath,
  nearest,
  type PathStyle,
  terminalSafeJsonLine,
} from "@caliban/common";
import type { SettingValue } from "../keys/setting-keys.ts";
import type { CountRange, SettingKind, ValueForm } from "../keys/setting-row.ts";
import {
  checkHosts,
  checkModel,
  checkServerUrl,
  checkSharing,
  checkText,
  checkTexts,
  checkToolNames,
  checkUrl,
  checkVariableName,
  checkVariableNames,
  checkVariables,
} from "./check-texts.ts";

/** What a value is checked against besides its form. */
export interface CheckContext {
  readonly style: PathStyle;
  readonly home: string | undefined;
}

/** A valid value, or what was expected instead. */
export type CheckedValue = { readonly value: SettingValue } | Mismatch;

/** What was expected, and a description of the actual value where that is clearer than the value itself. */
export interface Mismatch {
  readonly expected: string;
  readonly actual?: string;
}

/** Checks a value from TOML against its form. Integers arrive as bigint, so 8.0 is not 8. */
export function checkValue(form: ValueForm, value: unknown, context: CheckContext): CheckedValue {
  const choices = Object.keys(form.choices ?? {});
  return CHECKS[form.kind](value, { ...context, choices, range: form.range });
}

type Check = (
  value: unknown,
  context: CheckContext & {
    readonly choices: readonly string[];
    readonly range: CountRange | undefined;
  },
) => CheckedValue;

const CHECKS: Readonly<Record<SettingKind, Check>> = {
  switch: (value) => (typeof value === "boolean" ? { value } : { expected: "true or false" }),
  choice: (value, { choices }) => checkChoice(value, choices),
  choices: (value, { choices }) => checkChoices(value, choices),
  count: (value, { range }) => checkCount(value, range),
  tokens: checkTokens,
  dollars: checkDollars,
  directory: checkDirectory,
  "memory-directory": checkMemoryDirectory,
  directories: checkDirectories,
  patterns: checkPatterns,
  hosts: checkHosts,
  permissions: checkPermissions,
  model: checkModel,
  url: checkUrl,
  "variable-name": checkVariableName,
  "variable-names": checkVariableNames,
  variables: checkVariables,
  text: checkText,
  sharing: checkSharing,
  "tool-names": checkToolNames,
  texts: checkTexts,
  "server-url": checkServerUrl,
  tables: () => ({ expected: "a table of named tables, each with its keys below it" }),
};

/** Whether a wrong value of this kind may be a misplaced secret, which no message may repeat. */
export function mayBeSecret(kind: SettingKind): boolean {
  return kind === "variable-name" || kind === "variable-names" || kind === "variables";
}

/** Describes a value for a message: its type, and the value itself if it is short. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return `the string ${terminalSafeJsonLine(shortened(value))}`;
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    return String(value);
  }
  return "a table";
}

function checkChoice(value: unknown, choices: readonly string[]): CheckedValue {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return { value: chosen };
  const quoted = choices.map((choice) => JSON.stringify(choice));
  return { expected: [quoted.slice(0, -1).join(", "), quoted.at(-1)].filter(Boolean).join(" or ") };
}

/** Drops duplicates. An empty list is rejected. */
function checkChoices(value: unknown, choices: readonly string[]): CheckedValue {
  const quoted = choices.map((choice) => JSON.stringify(choice));
  const expected = `a list of one or more of ${quoted.join(", ")}`;
  if (!Array.isArray(value)) return { expected };
  if (value.length === 0) return { expected, actual: "an empty list" };
  const items: readonly unknown[] = value;
  const unknown = items.find((item) => !choices.some((choice) => choice === item));
  if (unknown !== undefined) return { expected, actual: describeUnknownChoice(choices, unknown) };
  return { value: choices.filter((choice) => items.includes(choice)) };
}

function describeUnknownChoice(choices: readonly string[], unknown: unknown): string {
  const meant = typeof unknown === "string" ? nearest(unknown, choices) : undefined;
  const hint = meant === undefined ? "" : ` (did you mean ${JSON.stringify(meant)}?)`;
  return `${describeValue(unknown)}${hint}`;
}

function checkCount(value: unknown, range: CountRange | undefined): CheckedValue {
  const { min, max } = range ?? { min: 1, max: Number.MAX_SAFE_INTEGER };
  const isWithin = typeof value === "bigint" && value >= BigInt(min) && value <= BigInt(max);
  return isWithin ? { value: Number(value) } : { expected: `an integer from ${min} to ${max}` };
}

function checkTokens(value: unknown): CheckedValue {
  const isPositive =
    typeof value === "bigint" && value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return isPositive ? { value: Number(value) } : { expected: "a positive integer, like 8000" };
}

const MAX_DOLLARS = 1_000_000;

function checkDollars(value: unknown): CheckedValue {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const dollars = isNumber ? Number(value) : Number.NaN;
  if (dollars > 0 && dollars <= MAX_DOLLARS) return { value: dollars };
  return { expected: "an amount in dollars, like 5 or 2.50" };
}

function checkDirectory(value: unknown, { style, home }: CheckContext): CheckedValue {
  const path = typeof value === "string" ? expandTilde(style, value, home) : "";
  if (isAbsolutePath(style, path)) return { value: path };
  return { expected: "an absolute path, or a path that begins with ~/" };
}

/** Also accepts a word for a directory that another program chooses; it cannot be mistaken for a path. */
function checkMemoryDirectory(value: unknown, context: CheckContext): CheckedValue {
  if (value === "claude") return { value };
  const checked = checkDirectory(value, context);
  if ("value" in checked) return checked;
  return {
    expected: `${checked.expected}, or "claude" for the directory that Claude Code uses for the project`,
  };
}

function checkDirectories(value: unknown, context: CheckContext): CheckedValue {
  const checked = Array.isArray(value) ? value.map((item) => checkDirectory(item, context)) : [];
  const paths = checked
    .map((item) => ("value" in item ? item.value : undefined))
    .filter((path) => typeof path === "string");
  if (Array.isArray(value) && paths.length === value.length) return { value: paths };
  return { expected: "a list of absolute paths or paths that begin with ~/" };
}

/** Rejects long patterns and patterns with many stars: matching them could take forever. */
function checkPatterns(value: unknown): CheckedValue {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    return { expected: 'a list of patterns like ["docs/**"]' };
  }
  if (value.every(isUsablePattern)) return { value };
  return { expected: "a list of patterns of 1 to 256 characters with at most 8 stars each" };
}

function isUsablePattern(pattern: string): boolean {
  return isShortLine(pattern) && pattern.split("*").length - 1 <= 8;
}

/** Only the permission engine knows what a rule means; here it is a short text on one line. */
function checkPermissions(value: unknown): CheckedValue {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    return { expected: 'a list of permission rules like ["memory.write"]' };
  }
  if (value.every(isShortLine)) return { value };
  return {
    expected: "a list of permission rules of 1 to 256 characters, without control characters",
  };
}

function isShortLine(text: string): boolean {
  return /^[^\p{Cc}]{1,256}$/u.test(text);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
