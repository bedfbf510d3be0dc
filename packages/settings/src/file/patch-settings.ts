import { terminalSafeJsonLine } from "@caliban/common";
import { parse, patch } from "@decimalturn/toml-patch";
import { parse as parseToml, TomlError } from "smol-toml";
import { type CheckContext, mayBeSecret } from "../check/check-value.ts";
import { linesOfKey } from "./locate-key.ts";
import { parseArgument } from "./parse-argument.ts";
import { settingKey } from "../keys/key-spelling.ts";
import { namedTables, tablesAbove } from "../keys/named-tables.ts";
import { type ParsedFile, parseSettingsFile } from "./parse-file.ts";
import { SettingsError } from "../diagnostic.ts";
import type { SettingValue } from "../keys/setting-keys.ts";
import { parseSettingPath, type SettingPath, toSteps } from "../keys/setting-path.ts";

/** A key with the arguments typed for it, or a key to remove from the file. */
export type SettingEdit =
  | { readonly action: "set"; readonly key: string; readonly args: readonly string[] }
  | { readonly action: "unset"; readonly key: string };

export interface PatchSettingsInput {
  readonly file: ParsedFile;
  readonly edit: SettingEdit;
  readonly context: CheckContext;
}

export interface PatchedSettings {
  /** The full key, such as `memory.auto` or `providers.ollama.base_url`. */
  readonly key: string;
  readonly text: string;
}

/**
 * The text of a settings file after one edit; everything else in it stays as written.
 * @throws SettingsError when the key or the value is invalid, or when another part of the file is.
 */
export function patchSettings({ file, edit, context }: PatchSettingsInput): PatchedSettings {
  const path = parseKnownPath(edit.key);
  const otherErrors = file.errors.filter(
    ({ segments }) => segments === undefined || !isSame(toSteps(segments), path.steps),
  );
  if (otherErrors.length > 0) throw new SettingsError(otherErrors);
  const text = patchedText(file, path.steps, parseNewValue(path, edit, context));
  assertOthersUnchanged(file, text, { path, context });
  return { key: path.steps.join("."), text };
}

function parseKnownPath(spelling: string): SettingPath {
  const path = parseSettingPath(spelling);
  if ("steps" in path) return path;
  throw new SettingsError([path]);
}

function isSame(steps: readonly string[], others: readonly string[]): boolean {
  return steps.join("\0") === others.join("\0");
}

function parseNewValue(path: SettingPath, edit: SettingEdit, context: CheckContext): unknown {
  if (edit.action === "unset") return undefined;
  const parsed = parseArgument(path.form, edit.args, context);
  if ("value" in parsed) return parsed.value;
  const actual = parsed.actual ?? terminalSafeJsonLine(edit.args.join(" "));
  const not = mayBeSecret(path.form.kind) ? "" : `, not ${actual}`;
  const message = `${path.steps.join(".")} must be ${parsed.expected}${not}.`;
  throw new SettingsError([{ code: "WRONG_TYPE", message }]);
}

function patchedText(file: ParsedFile, steps: readonly string[], value: unknown): string {
  try {
    const document: unknown = parse(file.text);
    const written = spelledSteps(document, steps);
    if (written === undefined && value === undefined) return file.text;
    const whole = isNewTable(document, steps) ? withTable(file.text, steps, value) : undefined;
    if (whole !== undefined) return whole;
    return endWithLineEnd(editedText(file.text, written ?? steps, value));
  } catch (cause) {
    const message = "caliban cannot edit a file written like this. Edit it by hand.";
    const problem = { code: "FILE_UNWRITABLE", path: file.path, message } as const;
    throw new SettingsError([problem], { cause });
  }
}

/** Whether this is the first key of a provider or a server, which also needs a table header. */
function isNewTable(document: unknown, steps: readonly string[]): boolean {
  return (
    tablesAbove(steps) !== undefined && spelledSteps(document, steps.slice(0, -1)) === undefined
  );
}

/**
 * Appends a table, as a user would write it; the editor would make an inline table. `undefined` where a header is not
 * allowed, as after an inline table.
 */
function withTable(text: string, steps: readonly string[], value: unknown): string | undefined {
  const header = steps.slice(0, -1).join(".");
  const above = text.trim() === "" ? text : `${endWithLineEnd(text)}\n`;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const whole = `${above}[${header}]${lineEnd}${steps.at(-1)} = ${inlineToml(value)}${lineEnd}`;
  try {
    parseToml(whole);
    return whole;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return undefined;
  }
}

/** A value in TOML on one line. */
function inlineToml(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const pairs = Object.entries(value).map(([name, text]) => `${name} = ${JSON.stringify(text)}`);
  return `{ ${pairs.join(", ")} }`;
}

/** The steps as the file spells them; `undefined` when it has no such key. */
function spelledSteps(table: unknown, steps: readonly string[]): readonly string[] | undefined {
  if (steps.length === 0) return [];
  if (typeof table !== "object" || table === null) return undefined;
  for (const [spelling, value] of Object.entries(table)) {
    const [first, ...rest] = steps;
    if (settingKey(spelling) !== first) continue;
    const below = spelledSteps(value, rest);
    if (below !== undefined) return [spelling, ...below];
  }
  return undefined;
}

function editedText(text: string, segments: readonly string[], value: unknown): string {
  const whole = value === undefined ? withoutLines(text, segments) : undefined;
  return whole ?? patchDocument(text, segments, value);
}

/** Removes the lines of a key but keeps the comment above; `undefined` when another key shares its line. */
function withoutLines(text: string, segments: readonly string[]): string | undefined {
  const lines = linesOfKey(text, segments);
  if (lines === undefined) return undefined;
  return text
    .split("\n")
    .filter((_, index) => index + 1 < lines.first || index + 1 > lines.last)
    .join("\n");
}

function patchDocument(text: string, segments: readonly string[], value: unknown): string {
  const document: unknown = parse(text);
  assign(document, segments, value);
  return patch(text, document);
}

function endWithLineEnd(text: string): string {
  if (text === "" || text.endsWith("\n")) return text;
  return text + (text.includes("\r\n") ? "\r\n" : "\n");
}

/** Sets or removes a value in a parsed document, creating the tables above it. */
function assign(table: unknown, segments: readonly string[], value: unknown): void {
  const [name, ...rest] = segments;
  if (name === undefined || typeof table !== "object" || table === null) return;
  if (rest.length > 0) {
    if (!Object.hasOwn(table, name)) Reflect.set(table, name, {});
    assign(Reflect.get(table, name), rest, value);
  } else if (value === undefined) {
    Reflect.deleteProperty(table, name);
  } else {
    Reflect.set(table, name, value);
  }
}

/** Reads the new text back first, because losing another value would be worse than not editing at all. */
function assertOthersUnchanged(
  before: ParsedFile,
  text: string,
  { path, context }: { readonly path: SettingPath; readonly context: CheckContext },
): void {
  const after = parseSettingsFile({ path: before.path, text }, context);
  if (after.errors.length > 0) throw new SettingsError(after.errors);
  if (otherValues(path, after) === otherValues(path, before)) return;
  const key = path.steps.join(".");
  throw new Error(`editing ${key} would have changed other settings; nothing was written`);
}

/** Every value except the one at a path, as a text to compare. */
function otherValues({ steps }: SettingPath, file: ParsedFile): string {
  const values = [...file.values].flatMap(([key, { value, segments }]): readonly Row[] =>
    namedTables(key) === undefined ? [{ key, value, segments }] : tableRows(key, value),
  );
  const others = values.filter(({ key }) => key !== steps.join("."));
  return JSON.stringify(others.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
}

interface Row {
  readonly key: string;
  readonly value: unknown;
  readonly segments?: readonly string[];
}

function tableRows(setting: string, tables: SettingValue): readonly Row[] {
  return Object.entries(tables ?? {}).flatMap(([name, table]: [string, unknown]) =>
    Object.entries(table ?? {}).map(([field, value]: [string, unknown]) => ({
      key: `${setting}.${name}.${field}`,
      value,
    })),
  );
}
