import type { CheckContext } from "../src/check/check-value.ts";
import { type ParsedFile, parseSettingsFile } from "../src/file/parse-file.ts";
import { patchSettings } from "../src/file/patch-settings.ts";

export const context: CheckContext = { style: "posix", home: "/home/me" };

export function parse(text: string, path = "/s.toml"): ParsedFile {
  return parseSettingsFile({ path, text }, context);
}

/** The text after `settings set KEY ARGS`, or after `settings unset KEY` without arguments. */
export function patch(text: string, key: string, ...args: readonly string[]): string {
  return patchSettings({
    file: parse(text),
    edit: args.length > 0 ? { action: "set", key, args } : { action: "unset", key },
    context,
  }).text;
}

/** The error of `settings set KEY VALUE`. */
export function messageOf(key: string, value: string): string {
  try {
    patch("", key, value);
    return "";
  } catch (error) {
    return String(error);
  }
}
