import { nearest } from "@caliban/common";
import { SETTING_KEY_NAMES } from "./setting-keys.ts";

/** The key that a spelling stands for: camelCase is accepted for snake_case. It may be none of ours. */
export function settingKey(spelling: string): string {
  return spelling.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What people who come from elsewhere type, and what it is called here. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["memory.enabled", "memory.auto"],
  ["memories.auto", "memories.enabled"],
  ["memories.generate_memories", "memories.enabled"],
  ["memories.use_memories", "memories.enabled"],
  ["mcp_servers", "mcp.servers"],
  ["generate_memories", "memories.enabled"],
  ["use_memories", "memories.enabled"],
]);

/** What to say of a key nobody knows, with the one that was probably meant. */
export function unknownKeyMessage(spelling: string): string {
  const key = settingKey(spelling);
  const shown = spelling.length > 60 ? `${spelling.slice(0, 60)}…` : spelling;
  const below = SETTING_KEY_NAMES.find((name) => name.startsWith(`${key}.`));
  if (below !== undefined)
    return `${shown} is a table of settings; name a key in it, such as ${below}.`;
  const sections = SETTING_KEY_NAMES.map((name) => name.replace(/\.[^.]*$/, ""));
  const meant =
    OTHER_NAMES.get(key) ??
    nearest(key, [...SETTING_KEY_NAMES, ...sections]) ??
    SETTING_KEY_NAMES.find((name) => name.endsWith(`.${key}`));
  const hint =
    meant === undefined ? "`caliban settings` lists them all." : `Did you mean ${meant}?`;
  return `unknown setting ${shown}. ${hint}`;
}
