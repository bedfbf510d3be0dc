import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "./error-code.ts";
import { isOpenedAt } from "./opened-at.ts";

/** Why a file gave no text. */
export type UnreadableReason = "missing" | "not-a-file" | "unreadable";

/** A file's text, at most `maxBytes` of it, or the reason why there is none. */
export type TextFile =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Size of the whole file, as far as it is known. */
      readonly fileBytes: number;
      /** How much of it the text is. A longer file is cut at a line end where there is one. */
      readonly readBytes: number;
      /** Where the first bytes stand that are not UTF-8 and were replaced; both count from 1. */
      readonly invalidAt?: { readonly line: number; readonly column: number } | undefined;
      /** Which file it is, under whatever name. */
      readonly inode: string;
    }
  | { readonly kind: UnreadableReason; readonly message: string };

const NEWLINE = 0x0a;
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const REPLACEMENT = Buffer.from("\uFFFD");

// A path through a file (ENOTDIR) or one that cannot exist (ENAMETOOLONG) is as absent as ENOENT.
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

export interface ReadTextOptions {
  /** Whether the path was resolved: a file that turns out to be elsewhere is refused. */
  readonly isRealPath?: boolean;
  /** Whether a symbolic link at the end of the path is refused. */
  readonly refuseLinks?: boolean;
}

/**
 * Opens a file once and reads it from that handle, so what was checked is what is returned.
 *
 * The system calls are synchronous: a small file takes some twenty microseconds so, and several times that
 * on the main thread alone when each call goes through the thread pool. At most `maxBytes` are ever waited for.
 */
export async function readTextFile(
  path: string,
  maxBytes: number,
  { isRealPath = false, refuseLinks = isRealPath }: ReadTextOptions = {},
): Promise<TextFile> {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer for ever.
    const noLinks = refuseLinks ? (constants.O_NOFOLLOW ?? 0) : 0;
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noLinks;
    descriptor = openSync(path, flags);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: "not-a-file", message: "it is not a regular file" };
    if (isRealPath && !isOpenedAt(descriptor, path, stats)) {
      return { kind: "unreadable", message: "it changed its place while it was opened" };
    }
    // One byte more than allowed shows whether there is more: the size of a file can lie, or change.
    const bytes = readUpTo(descriptor, maxBytes + 1, stats.size + 1);
    return { ...decode(bytes, { size: stats.size, maxBytes }), inode: `${stats.dev}:${stats.ino}` };
  } catch (error) {
    return failure(error, refuseLinks);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads on until the end or the limit; one read is enough for a file that is as long as it says. */
function readUpTo(descriptor: number, maxBytes: number, expectedBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  let wanted = Math.min(expectedBytes, maxBytes);
  while (total < maxBytes) {
    const chunk = Buffer.allocUnsafe(wanted);
    const bytesRead = readSync(descriptor, chunk, 0, wanted, total);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
    // Less than asked for is the end, but a file that claims to be empty may go on.
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
  const isLonger = bytes.length > maxBytes;
  const kept = isLonger ? bytes.subarray(0, cutAt(bytes, maxBytes)) : bytes;
  // What is valid takes the shorter way; the other replaces what is not as the standard has it.
  const isValid = isUtf8(kept);
  const text = isValid ? kept.toString("utf8") : DECODER.decode(kept);
  return {
    kind: "text",
    text,
    fileBytes: isLonger ? Math.max(size, bytes.length) : bytes.length,
    readBytes: kept.length,
    invalidAt: isValid ? undefined : firstInvalid(kept, text),
  };
}

/** After the last line end, else before the character that would be split. */
function cutAt(bytes: Uint8Array, maxBytes: number): number {
  const lineEnd = maxBytes === 0 ? 0 : bytes.lastIndexOf(NEWLINE, maxBytes - 1) + 1;
  if (lineEnd > 0) return lineEnd;
  let end = maxBytes;
  while (end > 0 && end > maxBytes - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** The first replacement character that the file does not really hold. */
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
  return { kind, message: kind === "not-a-file" ? "it is not a regular file" : sentenceFor(code) };
}

function sentenceFor(code: string): string {
  const words: Readonly<Record<string, string>> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    ELOOP: "it is a loop of symbolic links",
    ENXIO: "it is not a regular file",
  };
  return words[code] ?? `the system says ${code}`;
}
