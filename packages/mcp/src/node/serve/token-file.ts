import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { userDirectories, type UserDirectoriesInput } from "@caliban/common";
import { errorCode, nodeDisk, withFileLock, writeNewFile } from "@caliban/common/node";
import { UsageError } from "../../../../../apps/caliban/src/usage-error.ts";

export interface ServerToken {
  readonly path: string;
  readonly token: string;
}

/**
 * The token of the HTTP server, which is made with the first use.
 * @throws UsageError for a file that others may read or that is none of ours
 */
export async function serverToken(input: UserDirectoriesInput): Promise<ServerToken> {
  const { state } = userDirectories(input);
  if (state === undefined) {
    throw new UsageError(
      "no home directory is known, so there is no place for the token; set HOME or XDG_STATE_HOME",
    );
  }
  const path = join(state, "mcp-token");
  const known = readToken(path, input.platform);
  if (known !== undefined) return { path, token: known };
  // Two that begin at once must not use two tokens.
  return await withFileLock(path, async () => {
    const meanwhile = readToken(path, input.platform);
    if (meanwhile !== undefined) return { path, token: meanwhile };
    const token = randomBytes(32).toString("base64url");
    await writeNewFile(nodeDisk, path, `${token}\n`);
    return { path, token };
  });
}

const FORM = /^[\w-]{43,128}$/;
/** Others may neither read nor write. */
const OF_OTHERS = 0o077;

/** What was checked is what is read, because it is opened once; a link is not followed. */
function readToken(path: string, platform: string): string | undefined {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw refused(path, "it is no file");
    if (platform !== "win32" && (stats.mode & OF_OTHERS) !== 0) {
      throw refused(path, `others may use it; run \`chmod 600 ${path}\`, or remove it`);
    }
    if (platform !== "win32" && stats.uid !== userInfo().uid) {
      throw refused(path, "it belongs to somebody else; remove it");
    }
    const token = stats.size > 200 ? "" : readFileSync(descriptor, "utf8").trim();
    if (!FORM.test(token)) throw refused(path, "it holds no token; remove it, and one is made");
    return token;
  } finally {
    closeSync(descriptor);
  }
}

function openIfThere(path: string): number | undefined {
  // Windows has neither links to refuse nor pipes that wait.
  const flags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    return openSync(path, constants.O_RDONLY | flags);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    if (code === undefined) throw error;
    throw refused(
      path,
      code === "ELOOP" ? "it is a symbolic link; remove it" : `the system says ${code}`,
    );
  }
}

function refused(path: string, why: string): UsageError {
  return new UsageError(`the token file ${path} cannot be used: ${why}`);
}
