import { readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathStyleOf, utf8Bytes } from "@caliban/common";
import { errorCode, withFileLock, writeFileAtomic } from "@caliban/common/node";
import { locateProblems } from "../locate-problems.ts";
import type { ParsedFile } from "../parse-file.ts";
import type { PatchedSettings, PatchSettingsInput, SettingEdit } from "../patch-settings.ts";
import { SettingsError } from "../problem.ts";
import { MAX_SETTINGS_BYTES, readSettingsFile } from "./read-settings-file.ts";

export interface EditUserSettingsInput {
  /** The file to edit, as `userSettingsPath` gives it. */
  readonly path: string;
  readonly edit: SettingEdit;
  readonly platform: string;
  readonly home: string | undefined;
}

export interface EditedSettings {
  readonly key: string;
  /** False when the file said so already. */
  readonly changed: boolean;
}

/**
 * Changes one key of the person's file and nothing else in it: comments, order and spelling stay.
 * @throws SettingsError when the key, the value or the file is wrong; the file is then untouched.
 */
export async function editUserSettings(input: EditUserSettingsInput): Promise<EditedSettings> {
  const { path, edit, platform, home } = input;
  const context = { style: pathStyleOf(platform), home };
  const target = await linkTarget(path);
  // Two edits at once must both be in the file afterwards.
  return await reportUnwritable(path, () =>
    withFileLock(target, async () => {
      const file = (await readSettingsFile(path, context)) ?? emptyFile(path);
      const { key, text } = await patched({ file, edit, context });
      if (text === file.text) return { key, changed: false };
      refuseTooLarge(path, text);
      await writeFileAtomic(target, text);
      return { key, changed: true };
    }),
  );
}

async function patched(input: PatchSettingsInput): Promise<PatchedSettings> {
  // The editor for TOML is large and seldom needed.
  const { patchSettings } = await import("../patch-settings.ts");
  try {
    return patchSettings(input);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new SettingsError(await locateProblems(error.problems, [input.file]), { cause: error });
  }
}

/** A settings file is often a link into a repository of dotfiles: the link stays, its target changes. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
  try {
    return resolve(dirname(path), await readlink(path));
  } catch (error) {
    // No file yet, and no link either.
    if (errorCode(error) === undefined) throw error;
    return path;
  }
}

function refuseTooLarge(where: string, text: string): void {
  if (utf8Bytes(text) <= MAX_SETTINGS_BYTES) return;
  const message =
    "the settings would be larger than 1 MiB, which is the most; nothing was changed.";
  throw new SettingsError([{ code: "FILE_UNWRITABLE", where, message }]);
}

async function reportUnwritable<T>(where: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const code = errorCode(cause);
    if (cause instanceof SettingsError || code === undefined) throw cause;
    const message = `the settings cannot be written (${code}); nothing was changed. Check that the directory exists and is yours to write.`;
    throw new SettingsError([{ code: "FILE_UNWRITABLE", where, message }], { cause });
  }
}

function emptyFile(path: string): ParsedFile {
  return { path, text: "", values: new Map(), errors: [], warnings: [] };
}
