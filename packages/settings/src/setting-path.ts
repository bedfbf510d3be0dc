import { unknownProviderKey } from "./check-providers.ts";
import type { ValueForm } from "./check-value.ts";
import { settingKey, unknownKeyMessage } from "./key-spelling.ts";
import {
  isKeyItself,
  isProviderKey,
  isProviderName,
  KEY_ITSELF_REFUSED,
  PROVIDER_KEYS,
  PROVIDER_NAME_RULE,
} from "./provider-keys.ts";
import type { EffectiveSetting } from "./resolve.ts";
import { isSettingKey, SETTING_KEYS, type SettingKey, type SettingValue } from "./setting-keys.ts";

/** One value that a command can name: a setting, or one key of a provider. */
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
  const [section, name, field, ...more] = spelling.split(".");
  if (section === "providers" && name !== undefined && field !== undefined && more.length === 0) {
    return providerPath(name, field);
  }
  const key = settingKey(spelling);
  if (key === "providers" || key.startsWith("providers.")) return unknown(PROVIDERS_IS_A_TABLE);
  if (!isSettingKey(key)) return unknown(unknownKeyMessage(spelling));
  return { key, steps: key.split("."), form: SETTING_KEYS[key] };
}

const PROVIDERS_IS_A_TABLE =
  "providers is a table of settings; name a key of one provider, such as providers.ollama.base_url.";

function providerPath(name: string, field: string): SettingPath | UnknownPath {
  const key = settingKey(field);
  if (isKeyItself(key)) return { code: "KEY_IN_SETTINGS", message: KEY_ITSELF_REFUSED };
  if (!isProviderName(name)) return unknown(`${PROVIDER_NAME_RULE}.`);
  if (!isProviderKey(key)) return unknown(unknownProviderKey(name, field));
  return { key: "providers", steps: ["providers", name, key], form: PROVIDER_KEYS[key] };
}

function unknown(message: string): UnknownPath {
  return { code: "UNKNOWN_KEY", message };
}

/** The steps that a key of a file stands for, however it is spelled there. */
export function stepsOf(segments: readonly string[]): readonly string[] {
  const [section, name, ...fields] = segments;
  if (section !== "providers" || name === undefined)
    return settingKey(segments.join(".")).split(".");
  return [section, name, ...fields.map(settingKey)];
}

/** The effective value that a typed key stands for, the whole table for `providers`, or what is wrong with the key. */
export function effectiveValue(
  effective: readonly EffectiveSetting[],
  spelling: string,
): { readonly value: SettingValue } | UnknownPath {
  const whole = effective.find(({ key }) => key === settingKey(spelling));
  if (whole !== undefined) return { value: whole.value };
  const path = parseSettingPath(spelling);
  if ("message" in path) return path;
  const table: unknown = effective.find(({ key }) => key === path.key)?.value;
  const found = path.steps.slice(1).reduce(below, table);
  const isValue = typeof found === "string" || typeof found === "number";
  return { value: isValue ? found : undefined };
}

function below(table: unknown, name: string): unknown {
  if (typeof table !== "object" || table === null || !Object.hasOwn(table, name)) return undefined;
  return Reflect.get(table, name);
}
