import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode, hasCode, isSymlink, randomHex, realPathIfExists } from "@caliban/common/node";

/** A configuration file that belongs to another program. */
export interface ConfigFile {
  /** As the user knows it; it may be a link. */
  readonly path: string;
  /** `undefined` if there is no such file. */
  readonly text: string | undefined;
}

/** Far more than anyone configures. A link in a repository may lead to something that never ends. */
const MAX_BYTES = 4 * 1024 ** 2;

/** Reads the file; a clause that says why it cannot be used. */
export function readConfigFile(path: string): ConfigFile | { readonly problem: string } {
  try {
    if (isDangling(path)) return { problem: "a link to a file that does not exist" };
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "not a regular file" };
    if (stats.size > MAX_BYTES) return { problem: `larger than ${MAX_BYTES} bytes` };
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      readFileSync(path),
    );
    return { path, text };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return { path, text: undefined };
    if (error instanceof TypeError) return { problem: "not valid UTF-8" };
    if (hasCode(error, "EACCES", "ENOTDIR", "ELOOP", "EPERM"))
      return { problem: `cannot be read (${errorCode(error) ?? ""})` };
    throw error;
  }
}

/**
 * Replaces the file in one step, unless it is not the one that was read any more. A link stays, and its target changes. Its
 * mode stays, too. Without a text, removes the file.
 * @returns false if another program has changed it
 */
export function replaceConfigFile(file: ConfigFile, text: string | undefined): boolean {
  const target = realPathIfExists(file.path) ?? file.path;
  if (text === undefined) {
    if (!isUnchanged(file)) return false;
    rmSync(target, { force: true });
    return true;
  }
  const directory = dirname(target);
  mkdirSync(directory, { recursive: true });
  // Same directory, because rename is atomic only within one filesystem.
  const temporary = join(directory, `.${basename(target)}.${randomHex(6)}.tmp`);
  try {
    // Such files may contain keys.
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600, flush: true });
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined) chmodSync(temporary, mode & 0o777);
    if (!isUnchanged(file)) return false;
    renameSync(temporary, target);
    return true;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function isUnchanged({ path, text }: ConfigFile): boolean {
  const now = readConfigFile(path);
  if ("problem" in now) return false;
  return now.text === text;
}

/** A link to nowhere would be replaced by a file. One to itself is an error of its own. */
function isDangling(path: string): boolean {
  return isSymlink(path) && statSync(path, { throwIfNoEntry: false }) === undefined;
}
