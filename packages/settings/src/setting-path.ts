import { unknownTableKey } from "./check-tables.ts";
import type { ValueForm } from "./check-value.ts";
import { settingKey, unknownKeyMessage } from "./key-spelling.ts";
import { isKeyItself, type NamedTables, namedTables, tablesAbove } from "./named-tables.ts";
import type { EffectiveSetting } from "./resolve.ts";
import { isSettingKey, SETTING_KEYS, type SettingKey, type SettingValue } from "./setting-keys.ts";

/** One value that a command can name: a setting, or one key of a provider or a server. */
export interface SettingPath {
  readonly key: SettingKey;
  /** The steps to it in a file, in snake_case. */
  readonly steps: readonly string[];
  readonly form: ValueForm;
}

/** Why a typed key stands for nothing, in a sentence. */
export interface UnknownPath {
  readonly code: "UNKNOWN_KEY" | "KEY_IN_SETTINGS";
  readonly message: string;
}

/** What a typed key stands for. */
export function parseSettingPath(spelling: string): SettingPath | UnknownPath {
  const above = tablesAbove(spelling.split("."));
  if (above !== undefined) return tablePath(above.tables, above.below);
  const key = settingKey(spelling);
  if (!isSettingKey(key)) return unknown(unknownKeyMessage(spelling));
  return { key, steps: key.split("."), form: SETTING_KEYS[key] };
}

function tablePath(tables: NamedTables, below: readonly string[]): SettingPath | UnknownPath {
  const { setting, noun, example } = tables;
  const [name, field, ...more] = below;
  if (name === undefined || field === undefined || more.length > 0)
    return unknown(
      `${setting} is a table of settings; name a key of one ${noun}, such as ${example}.`,
    );
  const key = settingKey(field);
  if (isKeyItself(key)) return { code: "KEY_IN_SETTINGS", message: tables.keyItselfRefused };
  if (!tables.isName(name)) return unknown(`${tables.nameRule}.`);
  const form = Object.hasOwn(tables.keys, key) ? tables.keys[key] : undefined;
  if (form === undefined) return unknown(unknownTableKey(tables, name, field));
  return { key: setting, steps: [...setting.split("."), name, key], form };
}

function unknown(message: string): UnknownPath {
  return { code: "UNKNOWN_KEY", message };
}

/** The steps that a key of a file stands for, however it is spelled there. */
export function stepsOf(segments: readonly string[]): readonly string[] {
  const above = tablesAbove(segments);
  if (above === undefined) return settingKey(segments.join(".")).split(".");
  const [name, field, ...more] = above.below;
  const steps = [name, field === undefined ? undefined : settingKey(field), ...more];
  return [...above.tables.setting.split("."), ...steps.filter((step) => step !== undefined)];
}

/** The effective value that a typed key stands for, the whole of a table of tables, or what is wrong with the key. */
export function effectiveValue(
  effective: readonly EffectiveSetting[],
  spelling: string,
): { readonly value: SettingValue } | UnknownPath {
  const whole = effective.find(({ key }) => key === settingKey(spelling));
  if (whole !== undefined) return { value: whole.value };
  const path = parseSettingPath(spelling);
  if ("message" in path) return path;
  const table: unknown = effective.find(({ key }) => key === path.key)?.value;
  const isOfTable = namedTables(path.key) !== undefined;
  const found = isOfTable ? path.steps.slice(-2).reduce(childOf, table) : undefined;
  // It was checked against its row, which the compiler cannot see.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { value: found as SettingValue };
}

function childOf(table: unknown, name: string): unknown {
  if (typeof table !== "object" || table === null || !Object.hasOwn(table, name)) return undefined;
  return Reflect.get(table, name);
}
