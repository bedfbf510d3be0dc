import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
} from "node:fs";
import { dirname, sep } from "node:path";
import { errorCode, hasCode, isOpenFileAt, realPathIfExists } from "@caliban/common/node";
import { containsSnippet } from "./contains-snippet.ts";

export interface CheckedFile {
  readonly kind: "read";
  readonly sha256: string;
  readonly size: number;
  /** Whether it contains a snippet. Reads the file again only for a snippet that it was not searched for before. */
  readonly contains: (snippet: string) => boolean;
}

/** A file that exists and cannot be read is not missing: a pipe, a link, a large file, a file of another user. */
type ReadResult = CheckedFile | { readonly kind: "missing" } | { readonly kind: "unverifiable" };

/** Reads the file at a path below a root. Both have no links. */
export type ReadChecked = (root: string, path: string) => ReadResult;

const MAX_BYTES = 1024 * 1024;
const MAX_CACHED = 500;
const MAX_SNIPPETS = 100;

interface KnownFile {
  readonly stamp: string;
  readonly sha256: string;
  readonly size: number;
  /** Whether it contains them. */
  readonly snippets: Map<string, boolean>;
}

/** Creates a reader that reads a file again only after it changed. */
export function createFileReader(): ReadChecked {
  const known = new Map<string, KnownFile>();
  return (root, path) => {
    const stats = lstatOf(path);
    if (stats === undefined) return { kind: "missing" };
    if (stats === "refused" || !stats.isFile() || stats.size > MAX_BYTES) return UNVERIFIABLE;
    // A directory on the way may be a link that leads out of the workspace.
    if (!isBelow(root, path)) return UNVERIFIABLE;
    const stamp = stampOf(stats);
    const cached = known.get(path);
    if (cached?.stamp === stamp) return checkedFile(cached, () => readBytes(path));
    const bytes = readBytes(path);
    if (bytes === undefined) return UNVERIFIABLE;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (known.size >= MAX_CACHED) known.clear();
    const file = { stamp, sha256, size: bytes.length, snippets: new Map<string, boolean>() };
    known.set(path, file);
    return checkedFile(file, () => bytes);
  };
}

function checkedFile(
  { sha256, size, snippets }: KnownFile,
  bytes: () => Buffer | undefined,
): CheckedFile {
  const contains = (snippet: string): boolean => {
    const isKnown = snippets.get(snippet);
    if (isKnown !== undefined) return isKnown;
    const isFound = containsSnippet(bytes() ?? Buffer.alloc(0), snippet);
    if (snippets.size >= MAX_SNIPPETS) snippets.clear();
    snippets.set(snippet, isFound);
    return isFound;
  };
  return { kind: "read", sha256, size, contains };
}

const UNVERIFIABLE = { kind: "unverifiable" } as const;

function lstatOf(path: string): BigIntStats | "refused" | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    if (errorCode(error) === undefined) throw error;
    return "refused";
  }
}

function isBelow(root: string, path: string): boolean {
  const directory = dirname(path);
  const isInside =
    directory === root || directory.startsWith(root.endsWith(sep) ? root : root + sep);
  return isInside && realPathIfExists(directory) === directory;
}

/** Different after every change that a file system can tell. */
function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

/** `undefined` if it is not a small regular file any more. */
function readBytes(path: string): Buffer | undefined {
  let descriptor: number;
  try {
    // Opening a named pipe would wait for a writer without O_NONBLOCK.
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MAX_BYTES || !isOpenFileAt(descriptor, path, stats))
      return undefined;
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, stats.size, 0));
  } finally {
    closeSync(descriptor);
  }
}
