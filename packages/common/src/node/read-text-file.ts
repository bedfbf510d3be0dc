import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "./error-code.ts";
import { isOpenFileAt } from "./fs.ts";

/** Why a file could not be read as text. */
export type UnreadableReason = "missing" | "not-a-file" | "unreadable";

/** The text of a file, at most `maxBytes` of it, or the reason why there is none. */
export type TextFile =
  | {
      readonly kind: "text";
      readonly text: string;
      /** The size of the whole file, as far as it is known. */
      readonly fileBytes: number;
      /** How many of these bytes the text covers. A longer file is truncated, at a line end if possible. */
      readonly readBytes: number;
      /** The position of the first bytes that are not UTF-8 and were replaced; both count from 1. */
      readonly invalidAt?: { readonly line: number; readonly column: number } | undefined;
      /** Identifies the file, whatever its name is. */
      readonly inode: string;
    }
  | { readonly kind: UnreadableReason; readonly message: string };

const NEWLINE = 0x0a;
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const REPLACEMENT = Buffer.from("\uFFFD");

// A path through a file (ENOTDIR) or one that cannot exist (ENAMETOOLONG) is as absent as ENOENT.
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

export interface ReadTextOptions {
  /** Whether the path is already resolved: a file that turns out to be elsewhere is rejected. */
  readonly isRealPath?: boolean;
  /** Whether to reject a symbolic link at the end of the path. */
  readonly refuseLinks?: boolean;
}

/**
 * Opens a file once and reads from that descriptor, so that the checked file is the returned one.
 *
 * It is synchronous: a small file takes about twenty microseconds this way, and several times as long on the main thread
 * alone if each call goes through the thread pool. It never waits for more than `maxBytes`.
 */
export function readTextFile(
  path: string,
  maxBytes: number,
  { isRealPath = false, refuseLinks = isRealPath }: ReadTextOptions = {},
): TextFile {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
    const noLinks = refuseLinks ? (constants.O_NOFOLLOW ?? 0) : 0;
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noLinks;
    descriptor = openSync(path, flags);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: "not-a-file", message: "it is not a regular file" };
    if (isRealPath && !isOpenFileAt(descriptor, path, stats)) {
      return { kind: "unreadable", message: "it was moved or replaced while being opened" };
    }
    // One byte more than allowed shows whether there is more: the reported size can be wrong, or change.
    const bytes = readUpTo(descriptor, maxBytes + 1, stats.size + 1);
    return { ...decode(bytes, { size: stats.size, maxBytes }), inode: `${stats.dev}:${stats.ino}` };
  } catch (error) {
    return failure(error, refuseLinks);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads until the end or the limit; one read is enough for a file of the reported size. */
function readUpTo(descriptor: number, maxBytes: number, expectedBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  let wanted = Math.min(expectedBytes, maxBytes);
  while (total < maxBytes) {
    const chunk = Buffer.allocUnsafe(wanted);
    const bytesRead = readSync(descriptor, chunk, 0, wanted, total);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
    // A short read means the end, except for files that report a size of zero, such as those in /proc.
    if (bytesRead === 0 || (bytesRead < wanted && total < expectedBytes)) break;
    wanted = Math.min(64 * 1024, maxBytes - total);
  }
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

function decode(
  bytes: Buffer,
  { size, maxBytes }: { readonly size: number; readonly maxBytes: number },
): Omit<TextFile & { readonly kind: "text" }, "inode"> {
  const isTruncated = bytes.length > maxBytes;
  const kept = isTruncated ? bytes.subarray(0, truncationPoint(bytes, maxBytes)) : bytes;
  // Valid text takes the faster path; the decoder replaces invalid bytes as the standard requires.
  const isValid = isUtf8(kept);
  const text = isValid ? kept.toString("utf8") : DECODER.decode(kept);
  return {
    kind: "text",
    text,
    fileBytes: isTruncated ? Math.max(size, bytes.length) : bytes.length,
    readBytes: kept.length,
    invalidAt: isValid ? undefined : firstInvalid(kept, text),
  };
}

/** After the last line end, otherwise before the character that would be split. */
function truncationPoint(bytes: Uint8Array, maxBytes: number): number {
  const lineEnd = maxBytes === 0 ? 0 : bytes.lastIndexOf(NEWLINE, maxBytes - 1) + 1;
  if (lineEnd > 0) return lineEnd;
  let end = maxBytes;
  while (end > 0 && end > maxBytes - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** The first replacement character that is not in the file itself. */
function firstInvalid(
  bytes: Uint8Array,
  text: string,
): { readonly line: number; readonly column: number } | undefined {
  let [from, offset] = [0, 0];
  for (let at = text.indexOf("\uFFFD"); at !== -1; at = text.indexOf("\uFFFD", at + 1)) {
    offset += Buffer.byteLength(text.slice(from, at));
    from = at;
    if (Buffer.from(bytes.subarray(offset, offset + 3)).equals(REPLACEMENT)) continue;
    const lines = text.slice(0, at).split("\n");
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  }
  return undefined;
}

function failure(error: unknown, refuseLinks: boolean): TextFile {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const kind = ABSENT.has(code) ? "missing" : code === "EISDIR" ? "not-a-file" : "unreadable";
  if (code === "ELOOP" && refuseLinks) return { kind, message: "it is a symbolic link" };
  return { kind, message: kind === "not-a-file" ? "it is not a regular file" : reasonFor(code) };
}

function reasonFor(code: string): string {
  const reasons: Readonly<Record<string, string>> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    ELOOP: "it is a loop of symbolic links",
    ENXIO: "it is not a regular file",
  };
  return reasons[code] ?? `system error ${code}`;
}
