import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  isRecord,
  parseJsonRecord,
  userDirectories,
  type UserDirectoriesInput,
} from "@caliban/common";
import { lstatIfExists, readTextFile, withFileLock, writeFileAtomic } from "@caliban/common/node";
import { UsageError } from "../../../usage-error.ts";

/** A client that may use served stores. Its token itself is nowhere. */
export interface TokenRecord {
  readonly name: string;
  /** The SHA-256 of the token. */
  readonly sha256: string;
  readonly stores: readonly TokenStore[];
  readonly access: "read" | "write";
  readonly mayRedact: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A store of a token, with the path that it had then, for people. */
export interface TokenStore {
  readonly id: string;
  readonly path: string;
}

/** The tokens of this user. */
export interface TokenFile {
  readonly path: string;
  /** @throws UsageError for a file that others may use, or that is damaged */
  readonly read: () => readonly TokenRecord[];
  /** Replaces all tokens by what a function returns for them. */
  readonly change: (
    update: (tokens: readonly TokenRecord[]) => readonly TokenRecord[],
  ) => Promise<void>;
  /** Changes whenever the file does. */
  readonly fingerprint: () => string;
}

const MAX_BYTES = 4 * 1024 * 1024;
/** The permission bits of everyone but the owner. */
const OTHERS = 0o077;

/** @throws UsageError when no home directory is known */
export function openTokenFile(input: UserDirectoriesInput): TokenFile {
  const { state } = userDirectories(input);
  if (state === undefined)
    throw new UsageError("no home directory found to store tokens in; set HOME or XDG_STATE_HOME");
  const path = join(state, "serve-tokens.json");
  const read = (): readonly TokenRecord[] => readTokens(path, input.platform);
  return {
    path,
    read,
    change: async (update) =>
      await withFileLock(path, async () => {
        const tokens = update(read());
        await writeFileAtomic(path, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`);
      }),
    fingerprint: () => {
      const stats = lstatIfExists(path);
      return stats === undefined ? "" : `${stats.ino} ${stats.mtimeMs} ${stats.size} ${stats.mode}`;
    },
  };
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function readTokens(path: string, platform: string): readonly TokenRecord[] {
  const stats = lstatIfExists(path);
  if (stats === undefined) return [];
  if (platform !== "win32" && stats.isFile() && (stats.mode & OTHERS) !== 0)
    throw refused(path, `other users can access it; run: chmod 600 ${path}`);
  const file = readTextFile(path, MAX_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return [];
  if (file.kind !== "text") throw refused(path, file.message);
  const { version, tokens } = parseJsonRecord(file.text) ?? {};
  const items: readonly unknown[] = Array.isArray(tokens) ? tokens : [];
  const parsed = items.flatMap((item) => parseToken(item) ?? []);
  if (version !== 1 || parsed.length !== items.length)
    throw refused(path, "it is damaged; remove it, and create the tokens again");
  return parsed;
}

function parseToken(item: unknown): TokenRecord | undefined {
  if (!isRecord(item)) return undefined;
  const { name, sha256, stores, access, mayRedact, createdAt } = item;
  const list: readonly unknown[] = Array.isArray(stores) ? stores : [];
  const parsed = list.flatMap((store) => parseStore(store) ?? []);
  if (typeof name !== "string" || typeof sha256 !== "string" || typeof createdAt !== "string")
    return undefined;
  if (parsed.length !== list.length || (access !== "read" && access !== "write")) return undefined;
  return { name, sha256, stores: parsed, access, mayRedact: mayRedact === true, createdAt };
}

function parseStore(store: unknown): TokenStore | undefined {
  if (!isRecord(store)) return undefined;
  const { id, path } = store;
  return typeof id === "string" && typeof path === "string" ? { id, path } : undefined;
}

function refused(path: string, reason: string): UsageError {
  return new UsageError(`cannot use the tokens in ${path}: ${reason}`);
}
