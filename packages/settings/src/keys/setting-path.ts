import type { CommandMessage } from "@caliban/common";
import type { SettingsDiagnosticCode } from "../diagnostic.ts";
import { settingKey, unknownKeyMessage, unknownTableKeyMessage } from "./key-spelling.ts";
import { isLiteralKey, type NamedTables, tablesAbove } from "./named-tables.ts";
import { isSettingKey, SETTING_KEYS, type SettingKey } from "./setting-keys.ts";
import type { ValueForm } from "./setting-row.ts";

/** A value that a command can name: a setting, or one key of a provider or a server. */
export interface SettingPath {
  readonly key: SettingKey;
  /** The steps to it in a file, in snake_case. */
  readonly steps: readonly string[];
  readonly form: ValueForm;
}

/** Why a typed key is not valid. */
export interface PathError extends CommandMessage {
  readonly code: Extract<SettingsDiagnosticCode, "UNKNOWN_KEY" | "KEY_IN_SETTINGS">;
}

/** Parses a key as the user typed it. */
export function parseSettingPath(spelling: string): SettingPath | PathError {
  const above = tablesAbove(spelling.split("."));
  if (above !== undefined) return tablePath(above.tables, above.below);
  const key = settingKey(spelling);
  if (!isSettingKey(key)) return unknown(unknownKeyMessage(spelling));
  return { key, steps: key.split("."), form: SETTING_KEYS[key] };
}

function tablePath(tables: NamedTables, below: readonly string[]): SettingPath | PathError {
  const { setting, noun, example } = tables;
  const [name, field, ...more] = below;
  if (name === undefined || field === undefined || more.length > 0)
    return unknown(
      `${setting} is a table of settings. Name a key of one ${noun}, such as ${example}.`,
    );
  const key = settingKey(field);
  if (isLiteralKey(key)) return { code: "KEY_IN_SETTINGS", message: tables.literalKeyMessage };
  if (!tables.isName(name)) return unknown(`${tables.nameRule}.`);
  const form = Object.hasOwn(tables.keys, key) ? tables.keys[key] : undefined;
  if (form === undefined) return unknown(unknownTableKeyMessage(tables, name, field));
  return { key: setting, steps: [...setting.split("."), name, key], form };
}

function unknown(message: string | CommandMessage): PathError {
  const text = typeof message === "string" ? { message } : message;
  return { code: "UNKNOWN_KEY", ...text };
}

/** The steps of a key in a file, however it is spelled there. */
export function toSteps(segments: readonly string[]): readonly string[] {
  const above = tablesAbove(segments);
  if (above === undefined) return settingKey(segments.join(".")).split(".");
  const [name, field, ...more] = above.below;
  const steps = [name, field === undefined ? undefined : settingKey(field), ...more];
  return [...above.tables.setting.split("."), ...steps.filter((step) => step !== undefined)];
}
