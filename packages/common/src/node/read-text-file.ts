import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode } from "./error-code.ts";

/** Why a file gave no text. */
export type UnreadableReason = "missing" | "not-a-file" | "unreadable";

/** A file's text, at most `maxBytes` of it, or the reason why there is none. */
export type TextFile =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Size of the whole file, which is more than the text when it was cut. */
      readonly fileBytes: number;
      readonly readBytes: number;
      /** False when bytes that are not UTF-8 had to be replaced. */
      readonly isUtf8: boolean;
    }
  | { readonly kind: UnreadableReason; readonly message: string };

// A path through a file (ENOTDIR) or one that cannot exist (ENAMETOOLONG) is as absent as ENOENT.
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/** Opens a file once and reads it from that handle, so what was checked is what is returned. */
export async function readTextFile(path: string, maxBytes: number): Promise<TextFile> {
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer for ever.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { size, isFile } = await describe(handle);
    if (!isFile) return { kind: "not-a-file", message: "it is not a regular file" };
    return decode(await readUpTo(handle, maxBytes), size);
  } catch (error) {
    return failure(error);
  } finally {
    await handle?.close();
  }
}

async function describe(handle: FileHandle): Promise<{ readonly size: number; isFile: boolean }> {
  const stats = await handle.stat();
  return { size: stats.size, isFile: stats.isFile() };
}

async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  while (total < maxBytes) {
    const chunk = new Uint8Array(Math.min(64 * 1024, maxBytes - total));
    // Each read continues where the last one ended: a file has one order.
    // oxlint-disable-next-line no-await-in-loop
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, total);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array, size: number): TextFile {
  const fileBytes = Math.max(size, bytes.length);
  const whole = fileBytes > bytes.length ? withoutSplitCharacter(bytes) : bytes;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(whole);
    return { kind: "text", text, fileBytes, readBytes: whole.length, isUtf8: true };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole);
    return { kind: "text", text, fileBytes, readBytes: whole.length, isUtf8: false };
  }
}

/** A cut in the middle of a code point must not turn a good file into a bad one. */
function withoutSplitCharacter(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && start >= 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const expected = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + expected > bytes.length ? bytes.subarray(0, start) : bytes;
}

function failure(error: unknown): TextFile {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const kind = ABSENT.has(code) ? "missing" : code === "EISDIR" ? "not-a-file" : "unreadable";
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
