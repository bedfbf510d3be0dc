import { readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathStyleOf, requireArguments, utf8Bytes } from "@caliban/common";
import { errorCode, withFileLock, writeFileAtomic } from "@caliban/common/node";
import type { CheckContext } from "../check/check-value.ts";
import { locateDiagnostics } from "../file/locate-diagnostics.ts";
import type { ParsedFile } from "../file/parse-file.ts";
import type { PatchedSettings, PatchSettingsInput, SettingEdit } from "../file/patch-settings.ts";
import { SettingsError, isSettingsError } from "../diagnostic.ts";
import { MAX_SETTINGS_BYTES, readSettingsFile } from "./load-settings.ts";

export interface EditUserSettingsInput {
  /** The file to edit, as `userSettingsPath` returns it. */
  readonly path: string;
  readonly edit: SettingEdit;
  readonly platform: string;
  readonly home: string | undefined;
}

export interface EditedSettings {
  readonly key: string;
  /** False when the file already had this value. */
  readonly changed: boolean;
}

/**
 * Changes one key of the user's file and nothing else in it: comments, order and spelling stay.
 *
 * @example
 * import { join } from "node:path";
 * import { editUserSettings } from "@caliban/settings/node";
 *
 * const { changed } = await editUserSettings({
 *   path: join(process.cwd(), "settings.toml"),
 *   edit: { action: "set", key: "memory.auto", args: ["off"] },
 *   platform: process.platform,
 *   home: undefined,
 * });
 * console.log(changed); // true
 *
 * @throws SettingsError when the key, the value or the file is invalid; the file is then untouched
 */
export async function editUserSettings(input: EditUserSettingsInput): Promise<EditedSettings> {
  requireArguments("editUserSettings", input, ["path", "edit", "platform"]);
  const { edit } = input;
  const { key, changed } = await changeUserSettings(input, async (file, context) =>
    patched({ file, edit, context }),
  );
  return { key, changed };
}

/** Replaces the text of the user's file under its lock, so that two concurrent edits both end up in it. */
export async function changeUserSettings<Change extends { readonly text: string }>(
  { path, platform, home }: Omit<EditUserSettingsInput, "edit">,
  change: (file: ParsedFile, context: CheckContext) => Promise<Change>,
): Promise<Change & { readonly changed: boolean }> {
  const context = { style: pathStyleOf(platform), home };
  const target = await resolveLink(path);
  return await reportUnwritable(path, () =>
    withFileLock(target, async () => {
      const file = (await readSettingsFile(path, context)) ?? emptyFile(path);
      const changed = await change(file, context);
      if (changed.text === file.text) return { ...changed, changed: false };
      assertNotTooLarge(path, changed.text);
      await writeFileAtomic(target, changed.text);
      return { ...changed, changed: true };
    }),
  );
}

async function patched(input: PatchSettingsInput): Promise<PatchedSettings> {
  // The TOML editor is large and rarely needed.
  const { patchSettings } = await import("../file/patch-settings.ts");
  try {
    return patchSettings(input);
  } catch (error) {
    if (!isSettingsError(error)) throw error;
    throw new SettingsError(await locateDiagnostics(error.problems, [input.file]), {
      cause: error,
    });
  }
}

/** A settings file is often a link into a dotfiles repository: the link stays, and its target changes. */
async function resolveLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
  try {
    return resolve(dirname(path), await readlink(path));
  } catch (error) {
    // Neither a file nor a link yet.
    if (errorCode(error) === undefined) throw error;
    return path;
  }
}

function assertNotTooLarge(path: string, text: string): void {
  if (utf8Bytes(text) <= MAX_SETTINGS_BYTES) return;
  const message = "the file would exceed 1 MiB; nothing was changed.";
  throw new SettingsError([{ code: "FILE_UNWRITABLE", path, message }]);
}

async function reportUnwritable<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const code = errorCode(cause);
    if (isSettingsError(cause) || code === undefined) throw cause;
    const message = `cannot write the settings (${code}); nothing was changed. Check that the directory exists and is writable.`;
    throw new SettingsError([{ code: "FILE_UNWRITABLE", path, message }], { cause });
  }
}

function emptyFile(path: string): ParsedFile {
  return { path, text: "", values: new Map(), errors: [], warnings: [] };
}
