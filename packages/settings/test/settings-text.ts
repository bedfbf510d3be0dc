import type { CheckContext } from "../src/check-value.ts";
import { type ParsedFile, parseSettingsFile } from "../src/parse-file.ts";
import { patchSettings } from "../src/patch-settings.ts";

export const context: CheckContext = { style: "posix", home: "/home/me" };

export function parse(text: string, path = "/s.toml"): ParsedFile {
  return parseSettingsFile({ path, text }, context);
}

/** The text after `settings set KEY WORDS`, or after `unset` without words. */
export function patch(text: string, key: string, ...words: readonly string[]): string {
  return patchSettings({
    file: parse(text),
    edit: words.length > 0 ? { action: "set", key, words } : { action: "unset", key },
    context,
  }).text;
}

/** What `settings set KEY WORD` is refused with. */
export function refusalOf(key: string, word: string): string {
  try {
    patch("", key, word);
    return "";
  } catch (error) {
    return String(error);
  }
}
