import { parse, TomlError } from "smol-toml";
import { checkTables } from "./check-tables.ts";
import { type CheckContext, checkValue, describeValue } from "./check-value.ts";
import { settingKey, unknownKeyMessage } from "./key-spelling.ts";
import { namedTables } from "./named-tables.ts";
import type { SettingsProblem } from "./problem.ts";
import {
  isSettingKey,
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingValue,
} from "./setting-keys.ts";

/** A problem that still has to be given its line: `segments` is the key as it is spelled in the file. */
export interface KeyProblem extends SettingsProblem {
  readonly segments?: readonly string[];
}

/** One value of a file, with the spelling of its key. */
interface FileValue {
  readonly value: SettingValue;
  readonly segments: readonly string[];
}

export interface ParsedFile {
  readonly path: string;
  readonly text: string;
  readonly values: ReadonlyMap<SettingKey, FileValue>;
  /** What makes the file unusable. */
  readonly errors: readonly KeyProblem[];
  /** What was left out of it. */
  readonly warnings: readonly KeyProblem[];
}

export interface SettingsFile {
  readonly path: string;
  readonly text: string;
}

/** Reads one settings.toml; trouble is data, because what it means depends on whose file it is. */
export function parseSettingsFile(file: SettingsFile, context: CheckContext): ParsedFile {
  const found: Findings = { file, context, values: new Map(), errors: [], warnings: [] };
  try {
    visitTable(parse(file.text, { integersAsBigInt: true }), [], found);
  } catch (error) {
    found.errors.push(syntaxProblem(file.path, error));
  }
  const { values, errors, warnings } = found;
  return { ...file, values, errors: atMost(errors), warnings: atMost(warnings) };
}

const MOST_PROBLEMS = 20;

interface Findings {
  readonly file: SettingsFile;
  readonly context: CheckContext;
  readonly values: Map<SettingKey, FileValue>;
  readonly errors: KeyProblem[];
  readonly warnings: KeyProblem[];
}

function visitTable(table: object, above: readonly string[], found: Findings): void {
  for (const [name, value] of Object.entries(table)) visitValue([...above, name], value, found);
}

function visitValue(segments: readonly string[], value: unknown, found: Findings): void {
  // A quoted key with a dot in it is one name, whatever it looks like when it is joined.
  const isPlain = segments.every((segment) => !segment.includes("."));
  const key = isPlain ? settingKey(segments.join(".")) : "";
  const where = found.file.path;
  if (isSettingKey(key)) return addValue(key, { segments, value }, found);
  if (!isSection(key)) {
    const message = unknownKeyMessage(segments.join("."));
    found.warnings.push({ code: "UNKNOWN_KEY", where, segments, message });
  } else if (isTable(value)) {
    visitTable(value, segments, found);
  } else {
    const message = `${key} is a table of settings, not ${describeValue(value)}; write [${key}] and its keys below.`;
    found.errors.push({ code: "WRONG_TYPE", where, segments, message });
  }
}

function addValue(
  key: SettingKey,
  { segments, value }: { readonly segments: readonly string[]; readonly value: unknown },
  found: Findings,
): void {
  const where = found.file.path;
  if (found.values.has(key)) {
    const message = `${key} is given twice, in two spellings; keep one.`;
    found.errors.push({ code: "GIVEN_TWICE", where, segments, message });
    return;
  }
  const tables = namedTables(key);
  if (tables !== undefined && isTable(value)) {
    const checked = checkTables(tables, value, { ...found.context, where });
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
  const message = `${key} must be ${checked.mustBe}, not ${checked.but ?? describeValue(value)}.`;
  found.errors.push({ code: "WRONG_TYPE", where, segments, message });
}

function isSection(key: string): boolean {
  return SETTING_KEY_NAMES.some((name) => name.startsWith(`${key}.`));
}

function isTable(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

function syntaxProblem(where: string, error: unknown): KeyProblem {
  if (error instanceof TomlError) {
    const reason = (error.message.split("\n")[0] ?? "").replace("Invalid TOML document: ", "");
    const message = `this is not valid TOML: ${reason}.`;
    return { code: "SYNTAX", where, line: error.line, column: error.column, message };
  }
  // The parser ran out of stack or of digits.
  if (!(error instanceof RangeError)) throw error;
  return { code: "SYNTAX", where, message: "this is nested too deeply, or a value is too long." };
}

/** A file full of mistakes is told of the first ones: a thousand lines would hide them all. */
function atMost(problems: readonly KeyProblem[]): readonly KeyProblem[] {
  const [first] = problems;
  if (first === undefined || problems.length <= MOST_PROBLEMS) return problems;
  const more = problems.length - MOST_PROBLEMS;
  const rest: KeyProblem = { code: first.code, where: first.where, message: `… and ${more} more.` };
  return [...problems.slice(0, MOST_PROBLEMS), rest];
}
