import { command, type CommandMessage, nearest, withCommands } from "@caliban/common";
import type { NamedTables } from "./named-tables.ts";
import { SETTING_KEY_NAMES } from "./setting-keys.ts";

/** The key in snake_case for a spelling that may be camelCase. The key may be unknown. */
export function settingKey(spelling: string): string {
  return spelling.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What users of other agents type, and what it is called here. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["memory.enabled", "memory.auto"],
  ["memories.auto", "memories.enabled"],
  ["memories.generate_memories", "memories.enabled"],
  ["memories.use_memories", "memories.enabled"],
  ["mcp_servers", "mcp.servers"],
  ["generate_memories", "memories.enabled"],
  ["use_memories", "memories.enabled"],
]);

/** The message for an unknown key, with the key that was probably meant. */
export function unknownKeyMessage(spelling: string): CommandMessage {
  const key = settingKey(spelling);
  const below = SETTING_KEY_NAMES.find((name) => name.startsWith(`${key}.`));
  if (below !== undefined)
    return {
      message: `${shortened(spelling)} is a table of settings. Name one of its keys, such as ${below}.`,
    };
  const sections = SETTING_KEY_NAMES.map((name) => name.replace(/\.[^.]*$/, ""));
  const meant =
    OTHER_NAMES.get(key) ??
    nearest(key, [...SETTING_KEY_NAMES, ...sections]) ??
    SETTING_KEY_NAMES.find((name) => name.endsWith(`.${key}`));
  const hint =
    meant === undefined
      ? withCommands`To list all, run: ${command("settings")}`
      : `Did you mean ${meant}?`;
  return withCommands`unknown setting ${shortened(spelling)}. ${hint}`;
}

/** The message for an unknown key of a named table. */
export function unknownTableKeyMessage(
  tables: NamedTables,
  name: string,
  spelling: string,
): string {
  const keys = Object.keys(tables.keys);
  const meant = nearest(settingKey(spelling), keys);
  const hint = meant === undefined ? `Its keys are ${keys.join(", ")}.` : `Did you mean ${meant}?`;
  return `unknown setting ${tables.setting}.${name}.${shortened(spelling)}. ${hint}`;
}

function shortened(spelling: string): string {
  return spelling.length > 60 ? `${spelling.slice(0, 60)}…` : spelling;
}
