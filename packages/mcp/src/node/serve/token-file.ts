import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { userDirectories, type UserDirectoriesInput } from "@caliban/common";
import { errorCode, nodeDisk, withFileLock, writeNewFile } from "@caliban/common/node";
import { ServeError } from "./serve-error.ts";

export interface ServerToken {
  readonly path: string;
  readonly token: string;
}

/**
 * Reads the bearer token of the HTTP server, and creates it on first use.
 * @throws ServeError for a file that others may use or that is not a token file
 */
export async function loadServerToken(input: UserDirectoriesInput): Promise<ServerToken> {
  const { state } = userDirectories(input);
  if (state === undefined) {
    const message = "no home directory found to store the token in; set HOME or XDG_STATE_HOME";
    throw new ServeError("NO_STATE_DIRECTORY", message);
  }
  const path = join(state, "mcp-token");
  const existing = readToken(path, input.platform);
  if (existing !== undefined) return { path, token: existing };
  // Two servers that start at once must use the same token.
  return await withFileLock(path, async () => {
    const created = readToken(path, input.platform);
    if (created !== undefined) return { path, token: created };
    const token = randomBytes(32).toString("base64url");
    await writeNewFile(nodeDisk, path, `${token}\n`);
    return { path, token };
  });
}

const TOKEN = /^[\w-]{43,128}$/;
/** The permission bits of everyone but the owner. */
const OTHERS = 0o077;

/** Opens the file once, so that what is checked is what is read, and follows no link. */
function readToken(path: string, platform: string): string | undefined {
  const descriptor = openIfExists(path);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw refused(path, "not a file");
    if (platform !== "win32" && (stats.mode & OTHERS) !== 0)
      throw refused(path, `accessible by other users; run \`chmod 600 ${path}\`, or remove it`);
    if (platform !== "win32" && stats.uid !== userInfo().uid)
      throw refused(path, "owned by another user; remove it");
    const token = stats.size > 200 ? "" : readFileSync(descriptor, "utf8").trim();
    if (!TOKEN.test(token)) throw refused(path, "contains no token; remove it to create a new one");
    return token;
  } finally {
    closeSync(descriptor);
  }
}

function openIfExists(path: string): number | undefined {
  // Windows has neither links to refuse nor pipes that block.
  const flags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    return openSync(path, constants.O_RDONLY | flags);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    if (code === undefined) throw error;
    throw refused(path, code === "ELOOP" ? "a symbolic link; remove it" : code);
  }
}

function refused(path: string, reason: string): ServeError {
  return new ServeError("TOKEN_FILE_REFUSED", `cannot use the token file ${path}: ${reason}`);
}
