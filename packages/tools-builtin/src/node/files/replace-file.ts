import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { errorCode, hasCode } from "@caliban/common/node";
import type { Located } from "../locate.ts";
import { holdDirectory } from "./hold-directory.ts";

const [writeAll, sync] = [promisify(fs.writeFile), promisify(fs.fsync)];

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/** What of the file before is kept. */
export type KeptStats = Pick<fs.Stats, "mode" | "uid" | "gid">;

/**
 * Puts a text at a place in one step: a crash leaves the old file or the new. Returns the time of the file.
 *
 * @throws FileToolError when the directory is no longer where it was located
 */
export async function replaceFile(
  located: Located,
  text: string,
  before: KeptStats | undefined,
): Promise<number> {
  const directory = dirname(located.path);
  fs.mkdirSync(directory, { recursive: true });
  const held = holdDirectory(located, directory);
  try {
    // Same directory, because rename is atomic only within one filesystem.
    const temporary = join(held.base, `.${crypto.randomUUID()}.tmp`);
    try {
      await writeNew(temporary, text, before);
      held.check();
      fs.renameSync(temporary, join(held.base, basename(located.path)));
    } catch (error) {
      removeIfThere(temporary);
      throw error;
    }
    return fs.statSync(join(held.base, basename(located.path))).mtimeMs;
  } finally {
    held.release();
  }
}

async function writeNew(path: string, text: string, before: KeptStats | undefined): Promise<void> {
  const descriptor = fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    if (before !== undefined) keepOwner(descriptor, before);
    await writeAll(descriptor, text);
    await sync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function keepOwner(descriptor: number, { mode, uid, gid }: KeptStats): void {
  const now = fs.fstatSync(descriptor);
  try {
    if (now.uid !== uid || now.gid !== gid) fs.fchownSync(descriptor, uid, gid);
  } catch (error) {
    // Only root gives files away; the text is what was asked for.
    if (!hasCode(error, "EPERM", "EINVAL")) throw error;
  }
  // Afterwards, because a new owner takes special bits away.
  fs.fchmodSync(descriptor, mode & 0o7777);
}

function removeIfThere(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    // What the disk refuses stays; the failure before this one is the one to tell.
    if (errorCode(error) === undefined) throw error;
  }
}
