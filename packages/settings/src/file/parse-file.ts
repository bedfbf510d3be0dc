import { parse, TomlError } from "smol-toml";
import { checkTables } from "../check/check-tables.ts";
import { type CheckContext, checkValue, describeValue } from "../check/check-value.ts";
import { settingKey, unknownKeyMessage } from "../keys/key-spelling.ts";
import { namedTables } from "../keys/named-tables.ts";
import type { SettingsDiagnostic } from "../diagnostic.ts";
import {
  isSettingKey,
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingValue,
} from "../keys/setting-keys.ts";

/** A diagnostic that does not have its line yet: `segments` is the key as spelled in the file. */
export interface KeyDiagnostic extends SettingsDiagnostic {
  readonly segments?: readonly string[];
}

/** A value in a file, with the spelling of its key. */
interface FileValue {
  readonly value: SettingValue;
  readonly segments: readonly string[];
}

export interface ParsedFile {
  readonly path: string;
  readonly text: string;
  readonly values: ReadonlyMap<SettingKey, FileValue>;
  /** What makes the file unusable. */
  readonly errors: readonly KeyDiagnostic[];
  /** What was ignored in it. */
  readonly warnings: readonly KeyDiagnostic[];
}

export interface SettingsFile {
  readonly path: string;
  readonly text: string;
}

/** Parses one settings.toml. Errors are data, because their consequence depends on whose file it is. */
export function parseSettingsFile(file: SettingsFile, context: CheckContext): ParsedFile {
  const found: Findings = { file, context, values: new Map(), errors: [], warnings: [] };
  try {
    visitTable(parse(file.text, { integersAsBigInt: true }), [], found);
  } catch (error) {
    found.errors.push(syntaxError(file.path, error));
  }
  const { values, errors, warnings } = found;
  return {
    ...file,
    values,
    errors: limitDiagnostics(errors),
    warnings: limitDiagnostics(warnings),
  };
}

const MAX_DIAGNOSTICS = 20;

interface Findings {
  readonly file: SettingsFile;
  readonly context: CheckContext;
  readonly values: Map<SettingKey, FileValue>;
  readonly errors: KeyDiagnostic[];
  readonly warnings: KeyDiagnostic[];
}

function visitTable(table: object, above: readonly string[], found: Findings): void {
  for (const [name, value] of Object.entries(table)) visitValue([...above, name], value, found);
}

function visitValue(segments: readonly string[], value: unknown, found: Findings): void {
  // A quoted key that contains a dot is one name, even though it looks like two when joined.
  const isPlain = segments.every((segment) => !segment.includes("."));
  const key = isPlain ? settingKey(segments.join(".")) : "";
  const { path } = found.file;
  if (isSettingKey(key)) return addValue(key, { segments, value }, found);
  if (!isSection(key)) {
    const message = unknownKeyMessage(segments.join("."));
    found.warnings.push({ code: "UNKNOWN_KEY", path, segments, ...message });
  } else if (isTable(value)) {
    visitTable(value, segments, found);
  } else {
    const message = `${key} is a table, not ${describeValue(value)}. Write [${key}] with its keys below it.`;
    found.errors.push({ code: "WRONG_TYPE", path, segments, message });
  }
}

function addValue(
  key: SettingKey,
  { segments, value }: { readonly segments: readonly string[]; readonly value: unknown },
  found: Findings,
): void {
  const { path } = found.file;
  if (found.values.has(key)) {
    const message = `${key} is set twice, in two spellings. Keep one.`;
    found.errors.push({ code: "GIVEN_TWICE", path, segments, message });
    return;
  }
  const tables = namedTables(key);
  if (tables !== undefined && isTable(value)) {
    const checked = checkTables(tables, value, { ...found.context, path });
    found.values.set(key, { value: checked.value, segments });
    found.errors.push(...checked.errors);
    found.warnings.push(...checked.warnings);
    return;
  }
  const checked = checkValue(SETTING_KEYS[key], value, found.context);
  if ("value" in checked) {
    found.values.set(key, { value: checked.value, segments });
    return;
  }
  const message = `${key} must be ${checked.expected}, not ${checked.actual ?? describeValue(value)}.`;
  found.errors.push({ code: "WRONG_TYPE", path, segments, message });
}

function isSection(key: string): boolean {
  return SETTING_KEY_NAMES.some((name) => name.startsWith(`${key}.`));
}

function isTable(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

function syntaxError(path: string, error: unknown): KeyDiagnostic {
  if (error instanceof TomlError) {
    const reason = (error.message.split("\n")[0] ?? "").replace("Invalid TOML document: ", "");
    const message = `invalid TOML: ${reason}.`;
    return { code: "SYNTAX", path, line: error.line, column: error.column, message };
  }
  // The parser ran out of stack or digits.
  if (!(error instanceof RangeError)) throw error;
  return {
    code: "SYNTAX",
    path,
    message: "invalid TOML: it is nested too deeply, or a value is too long.",
  };
}

/** Reports only the first problems of a file: a thousand lines would hide them all. */
function limitDiagnostics(problems: readonly KeyDiagnostic[]): readonly KeyDiagnostic[] {
  const [first] = problems;
  if (first === undefined || problems.length <= MAX_DIAGNOSTICS) return problems;
  const more = problems.length - MAX_DIAGNOSTICS;
  const rest: KeyDiagnostic = {
    code: first.code,
    path: first.path,
    message: `… and ${more} more.`,
  };
  return [...problems.slice(0, MAX_DIAGNOSTICS), rest];
}
