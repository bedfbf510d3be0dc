import { expandTilde, isAbsolutePath, type PathStyle } from "@caliban/common";
import {
  isModelName,
  isPlainUrl,
  isVariableName,
  MODEL_FORM,
  URL_FORM,
  VARIABLE_FORM,
} from "./model-texts.ts";
import type { SettingKind, SettingValue } from "./setting-keys.ts";

/** What a value is checked against besides its kind. */
export interface CheckContext {
  readonly style: PathStyle;
  readonly home: string | undefined;
}

/** What a value is checked against: its kind, and the choices when it is a choice. */
export interface ValueForm {
  readonly kind: SettingKind;
  readonly choices?: Readonly<Record<string, string>> | undefined;
}

/** A proven value, or what it must be instead. */
export type CheckedValue = { readonly value: SettingValue } | { readonly mustBe: string };

/** Proves that a value read from TOML is of its kind. Whole numbers arrive as bigint, so 8.0 is not 8. */
export function checkValue(form: ValueForm, value: unknown, context: CheckContext): CheckedValue {
  return CHECKS[form.kind](value, { ...context, choices: Object.keys(form.choices ?? {}) });
}

type Check = (
  value: unknown,
  context: CheckContext & { readonly choices: readonly string[] },
) => CheckedValue;

const CHECKS: Readonly<Record<SettingKind, Check>> = {
  switch: (value) => (typeof value === "boolean" ? { value } : { mustBe: "true or false" }),
  choice: (value, { choices }) => checkChoice(value, choices),
  tokens: checkTokens,
  directory: checkDirectory,
  directories: checkDirectories,
  patterns: checkPatterns,
  permissions: checkPermissions,
  model: (value) => (isModelName(value) ? { value } : { mustBe: MODEL_FORM }),
  url: (value) => (isPlainUrl(value) ? { value } : { mustBe: URL_FORM }),
  "variable-name": (value) => (isVariableName(value) ? { value } : { mustBe: VARIABLE_FORM }),
  providers: () => ({ mustBe: "a table of tables, [providers.<name>] and its keys below" }),
};

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
  return { mustBe: `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}` };
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
