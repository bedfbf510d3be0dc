import { expandTilde, isAbsolutePath, nearest, type PathStyle } from "@caliban/common";
import {
  checkServerUrl,
  checkText,
  checkTexts,
  checkVariableNames,
  checkVariables,
} from "./check-texts.ts";
import {
  isModelName,
  isPlainUrl,
  isVariableName,
  MODEL_FORM,
  URL_FORM,
  VARIABLE_FORM,
} from "./model-texts.ts";
import type { SettingValue } from "./setting-keys.ts";
import type { CountRange, SettingKind } from "./setting-row.ts";

/** What a value is checked against besides its kind. */
export interface CheckContext {
  readonly style: PathStyle;
  readonly home: string | undefined;
}

/** What a value is checked against: its kind, the choices when it is of choices, and how far a count may go. */
export interface ValueForm {
  readonly kind: SettingKind;
  readonly choices?: Readonly<Record<string, string>> | undefined;
  readonly range?: CountRange | undefined;
}

/** A proven value, or what it must be instead. */
export type CheckedValue = { readonly value: SettingValue } | NotSuch;

/** What a value must be, and what it is instead where that says more than the value itself would. */
export interface NotSuch {
  readonly mustBe: string;
  readonly but?: string;
}

/** Proves that a value read from TOML is of its kind. Whole numbers arrive as bigint, so 8.0 is not 8. */
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
  switch: (value) => (typeof value === "boolean" ? { value } : { mustBe: "true or false" }),
  choice: (value, { choices }) => checkChoice(value, choices),
  choices: (value, { choices }) => checkChoices(value, choices),
  count: (value, { range }) => checkCount(value, range),
  tokens: checkTokens,
  directory: checkDirectory,
  "memory-directory": checkMemoryDirectory,
  directories: checkDirectories,
  patterns: checkPatterns,
  permissions: checkPermissions,
  model: (value) => (isModelName(value) ? { value } : { mustBe: MODEL_FORM }),
  url: (value) => (isPlainUrl(value) ? { value } : { mustBe: URL_FORM }),
  "variable-name": (value) => (isVariableName(value) ? { value } : { mustBe: VARIABLE_FORM }),
  "variable-names": checkVariableNames,
  variables: checkVariables,
  text: checkText,
  texts: checkTexts,
  "server-url": checkServerUrl,
  tables: () => ({ mustBe: "a table of tables, each with a name of its own and its keys below" }),
};

/** Whether a value that is none of a kind may be a secret in a wrong place, which no message repeats. */
export function isHidden(kind: SettingKind): boolean {
  return kind === "variable-name" || kind === "variable-names" || kind === "variables";
}

/** How a value looks in a message: its kind in words, and itself when it is short. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return `the text ${JSON.stringify(shortened(value))}`;
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
  return { mustBe: [quoted.slice(0, -1).join(", "), quoted.at(-1)].filter(Boolean).join(" or ") };
}

/** The same choice twice is once; none at all is no list of them. */
function checkChoices(value: unknown, choices: readonly string[]): CheckedValue {
  const quoted = choices.map((choice) => JSON.stringify(choice));
  const mustBe = `a list of one or more of ${quoted.join(", ")}`;
  if (!Array.isArray(value)) return { mustBe };
  if (value.length === 0) return { mustBe, but: "an empty list" };
  const items: readonly unknown[] = value;
  const stranger = items.find((item) => !choices.some((choice) => choice === item));
  if (stranger !== undefined) return { mustBe, but: strangerAmong(choices, stranger) };
  return { value: choices.filter((choice) => items.includes(choice)) };
}

function strangerAmong(choices: readonly string[], stranger: unknown): string {
  const meant = typeof stranger === "string" ? nearest(stranger, choices) : undefined;
  const hint = meant === undefined ? "" : ` (did you mean ${JSON.stringify(meant)}?)`;
  return `${describeValue(stranger)}${hint}`;
}

function checkCount(value: unknown, range: CountRange | undefined): CheckedValue {
  const { least, most } = range ?? { least: 1, most: Number.MAX_SAFE_INTEGER };
  const isWithin = typeof value === "bigint" && value >= BigInt(least) && value <= BigInt(most);
  return isWithin
    ? { value: Number(value) }
    : { mustBe: `a whole number from ${least} to ${most}` };
}

function checkTokens(value: unknown): CheckedValue {
  const isPositive =
    typeof value === "bigint" && value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return isPositive ? { value: Number(value) } : { mustBe: "a whole number above 0, like 8000" };
}

function checkDirectory(value: unknown, { style, home }: CheckContext): CheckedValue {
  const path = typeof value === "string" ? expandTilde(style, value, home) : "";
  if (isAbsolutePath(style, path)) return { value: path };
  return { mustBe: "an absolute path, or one that begins with ~/" };
}

/** A word for a directory that another program chooses; no path is that short. */
function checkMemoryDirectory(value: unknown, context: CheckContext): CheckedValue {
  if (value === "claude") return { value };
  const checked = checkDirectory(value, context);
  if ("value" in checked) return checked;
  return {
    mustBe: `${checked.mustBe}, or "claude" for the directory that Claude Code keeps for the project`,
  };
}

function checkDirectories(value: unknown, context: CheckContext): CheckedValue {
  const checked = Array.isArray(value) ? value.map((item) => checkDirectory(item, context)) : [];
  const paths = checked
    .map((item) => ("value" in item ? item.value : undefined))
    .filter((path) => typeof path === "string");
  if (Array.isArray(value) && paths.length === value.length) return { value: paths };
  return { mustBe: "a list of absolute paths, or of paths that begin with ~/" };
}

/** Long or much-starred patterns are refused: matching them could take for ever. */
function checkPatterns(value: unknown): CheckedValue {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    return { mustBe: 'a list of patterns like ["docs/**"]' };
  }
  if (value.every(isUsablePattern)) return { value };
  return { mustBe: "a list of patterns of 1 to 256 characters with at most 8 stars each" };
}

function isUsablePattern(pattern: string): boolean {
  return isShortLine(pattern) && pattern.split("*").length - 1 <= 8;
}

/** What a rule means is for the permission engine to say; here it is a short text on one line. */
function checkPermissions(value: unknown): CheckedValue {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    return { mustBe: 'a list of permission rules like ["memory.write"]' };
  }
  if (value.every(isShortLine)) return { value };
  return {
    mustBe: "a list of permission rules of 1 to 256 characters, without control characters",
  };
}

function isShortLine(text: string): boolean {
  return /^[^\p{Cc}]{1,256}$/u.test(text);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
