import { parse, patch } from "@decimalturn/toml-patch";
import type { CheckContext } from "./check-value.ts";
import { linesOfKey } from "./locate-key.ts";
import { parseArgument } from "./parse-argument.ts";
import { settingKey, unknownKeyMessage } from "./key-spelling.ts";
import { type ParsedFile, parseSettingsFile } from "./parse-file.ts";
import { SettingsError } from "./problem.ts";
import { isSettingKey, SETTING_KEY_NAMES, type SettingKey } from "./setting-keys.ts";

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
  readonly key: SettingKey;
  readonly text: string;
}

/**
 * The text of a settings file after one edit; everything else in it stays as it was written.
 * @throws SettingsError when the key or the value is wrong, or the file is, in another place than this key.
 */
export function patchSettings({ file, edit, context }: PatchSettingsInput): PatchedSettings {
  const key = knownKey(edit.key);
  const elsewhere = file.errors.filter(
    ({ segments }) => segments === undefined || settingKey(segments.join(".")) !== key,
  );
  if (elsewhere.length > 0) throw new SettingsError(elsewhere);
  const text = patchedText(file, key, valueOf(key, edit, context));
  assertStillReads(file, text, { key, context });
  return { key, text };
}

function knownKey(spelling: string): SettingKey {
  const key = settingKey(spelling);
  if (isSettingKey(key)) return key;
  throw new SettingsError([
    { code: "UNKNOWN_KEY", where: "settings", message: unknownKeyMessage(spelling) },
  ]);
}

function valueOf(key: SettingKey, edit: SettingEdit, context: CheckContext): unknown {
  if (edit.action === "unset") return undefined;
  const parsed = parseArgument(key, edit.words, context);
  if ("value" in parsed) return parsed.value;
  const message = `${key} must be ${parsed.mustBe}, not ${JSON.stringify(edit.words.join(" "))}.`;
  throw new SettingsError([{ code: "WRONG_TYPE", where: "settings", message }]);
}

function patchedText(file: ParsedFile, key: SettingKey, value: unknown): string {
  // A value of the wrong type is no value, but it has a place, which an edit mends.
  const written = file.values.get(key)?.segments ?? file.errors[0]?.segments;
  if (written === undefined && value === undefined) return file.text;
  const segments = written ?? key.split(".");
  return endWithLineEnd(editedText(file, segments, value));
}

function editedText(file: ParsedFile, segments: readonly string[], value: unknown): string {
  try {
    const whole = value === undefined ? withoutLines(file.text, segments) : undefined;
    return whole ?? patchDocument(file.text, segments, value);
  } catch (cause) {
    const message = "this file is written in a way that the command cannot edit; edit it by hand.";
    const problem = { code: "FILE_UNWRITABLE", where: file.path, message } as const;
    throw new SettingsError([problem], { cause });
  }
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
  { key, context }: { readonly key: SettingKey; readonly context: CheckContext },
): void {
  const after = parseSettingsFile({ path: before.path, text }, context);
  if (after.errors.length > 0) throw new SettingsError(after.errors);
  const others = (file: ParsedFile): string =>
    JSON.stringify(
      SETTING_KEY_NAMES.filter((name) => name !== key).map((name) => file.values.get(name) ?? null),
    );
  if (others(after) === others(before)) return;
  throw new Error(`editing ${key} would have changed other settings; nothing was written`);
}
