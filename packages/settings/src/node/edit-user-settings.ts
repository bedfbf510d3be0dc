import { realpath } from "node:fs/promises";
import { pathStyleOf } from "@caliban/common";
import { errorCode, hasCode, writeFileAtomic } from "@caliban/common/node";
import { locateProblems } from "../locate-problems.ts";
import type { ParsedFile } from "../parse-file.ts";
import type { PatchedSettings, PatchSettingsInput, SettingEdit } from "../patch-settings.ts";
import { SettingsError } from "../problem.ts";
import type { SettingKey } from "../setting-keys.ts";
import { readSettingsFile } from "./read-settings-file.ts";

export interface EditUserSettingsInput {
  /** The file to edit, as `userSettingsPath` gives it. */
  readonly path: string;
  readonly edit: SettingEdit;
  readonly platform: string;
  readonly home: string | undefined;
}

export interface EditedSettings {
  readonly key: SettingKey;
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
  const file = (await readSettingsFile(path, context)) ?? emptyFile(path);
  const { key, text } = await patched({ file, edit, context });
  if (text === file.text) return { key, changed: false };
  await writeThroughLink(path, text);
  return { key, changed: true };
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
async function writeThroughLink(path: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(await realpath(path), text);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return await create(path, text);
    throw unwritable(path, error);
  }
}

async function create(path: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(path, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(where: string, cause: unknown): unknown {
  const code = errorCode(cause);
  if (code === undefined) return cause;
  const message = `the settings cannot be written (${code}); nothing was changed. Check that the directory exists and is yours to write.`;
  return new SettingsError([{ code: "FILE_UNWRITABLE", where, message }], { cause });
}

function emptyFile(path: string): ParsedFile {
  return { path, text: "", values: new Map(), errors: [], warnings: [] };
}
