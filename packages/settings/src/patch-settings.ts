import { parse, patch } from "@decimalturn/toml-patch";
import { parse as parseToml, TomlError } from "smol-toml";
import { type CheckContext, isHidden } from "./check-value.ts";
import { linesOfKey } from "./locate-key.ts";
import { parseArgument } from "./parse-argument.ts";
import { settingKey } from "./key-spelling.ts";
import { namedTables, tablesAbove } from "./named-tables.ts";
import { type ParsedFile, parseSettingsFile } from "./parse-file.ts";
import { SettingsError } from "./problem.ts";
import type { SettingValue } from "./setting-keys.ts";
import { parseSettingPath, type SettingPath, stepsOf } from "./setting-path.ts";

/** A key with the words typed for it, or a key to take out of the file. */
export type SettingEdit =
  | { readonly action: "set"; readonly key: string; readonly words: readonly string[] }
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
 * The text of a settings file after one edit; everything else in it stays as it was written.
 * @throws SettingsError when the key or the value is wrong, or the file is, in another place than this key.
 */
export function patchSettings({ file, edit, context }: PatchSettingsInput): PatchedSettings {
  const path = knownPath(edit.key);
  const elsewhere = file.errors.filter(
    ({ segments }) => segments === undefined || !isSame(stepsOf(segments), path.steps),
  );
  if (elsewhere.length > 0) throw new SettingsError(elsewhere);
  const text = patchedText(file, path.steps, valueOf(path, edit, context));
  assertStillReads(file, text, { path, context });
  return { key: path.steps.join("."), text };
}

function knownPath(spelling: string): SettingPath {
  const path = parseSettingPath(spelling);
  if ("steps" in path) return path;
  throw new SettingsError([{ ...path, where: "settings" }]);
}

function isSame(steps: readonly string[], others: readonly string[]): boolean {
  return steps.join("\0") === others.join("\0");
}

function valueOf(path: SettingPath, edit: SettingEdit, context: CheckContext): unknown {
  if (edit.action === "unset") return undefined;
  const parsed = parseArgument(path.form, edit.words, context);
  if ("value" in parsed) return parsed.value;
  const but = isHidden(path.form.kind)
    ? ""
    : `, not ${parsed.but ?? JSON.stringify(edit.words.join(" "))}`;
  const message = `${path.steps.join(".")} must be ${parsed.mustBe}${but}.`;
  throw new SettingsError([{ code: "WRONG_TYPE", where: "settings", message }]);
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
    const message = "this file is written in a way that the command cannot edit; edit it by hand.";
    const problem = { code: "FILE_UNWRITABLE", where: file.path, message } as const;
    throw new SettingsError([problem], { cause });
  }
}

/** Whether the first key of a provider or a server is written, and with it the header of its table. */
function isNewTable(document: unknown, steps: readonly string[]): boolean {
  return (
    tablesAbove(steps) !== undefined && spelledSteps(document, steps.slice(0, -1)) === undefined
  );
}

/**
 * A table of its own at the end, as a person would write it; the editor would make an inline one. `undefined` where
 * the text takes no header there, as behind an inline table.
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

/** A value as TOML has it on one line. */
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

/** Takes the lines of a key out, so that the comment above it stays; `undefined` when others share its line. */
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

/** Sets or removes a value in a parsed document, making the tables on the way. */
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

/** An editor that loses a neighbour's value would be worse than none: the new text is read back first. */
function assertStillReads(
  before: ParsedFile,
  text: string,
  { path, context }: { readonly path: SettingPath; readonly context: CheckContext },
): void {
  const after = parseSettingsFile({ path: before.path, text }, context);
  if (after.errors.length > 0) throw new SettingsError(after.errors);
  if (othersThan(path, after) === othersThan(path, before)) return;
  const key = path.steps.join(".");
  throw new Error(`editing ${key} would have changed other settings; nothing was written`);
}

/** Every value but the one at a path, as a text to compare. */
function othersThan({ steps }: SettingPath, file: ParsedFile): string {
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
