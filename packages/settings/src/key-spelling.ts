import { nearest } from "@caliban/common";
import { SETTING_KEY_NAMES } from "./setting-keys.ts";

/** The key that a spelling stands for: camelCase is accepted for snake_case. It may be none of ours. */
export function settingKey(spelling: string): string {
  return spelling.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What to say of a key nobody knows, with the one that was probably meant. */
export function unknownKeyMessage(spelling: string): string {
  const key = settingKey(spelling);
  const shown = spelling.length > 60 ? `${spelling.slice(0, 60)}…` : spelling;
  const below = SETTING_KEY_NAMES.find((name) => name.startsWith(`${key}.`));
  if (below !== undefined)
    return `${shown} is a table of settings; name a key in it, such as ${below}.`;
  const sections = SETTING_KEY_NAMES.map((name) => name.replace(/\.[^.]*$/, ""));
  const meant =
    nearest(key, [...SETTING_KEY_NAMES, ...sections]) ??
    SETTING_KEY_NAMES.find((name) => name.endsWith(`.${key}`));
  const hint =
    meant === undefined ? "`caliban settings` lists them all." : `Did you mean ${meant}?`;
  return `unknown setting ${shown}. ${hint}`;
}
