import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, isOpenFileAt } from "@caliban/common/node";
import {
  type FoundFile,
  MAX_FILE_BYTES,
  MAX_LINE_CHARACTERS,
  type SearchRequest,
} from "./search-request.ts";

/**
 * Whether the lines that another program found are in the file at that path. The program opens files by their paths, and
 * may have been led outside by a directory that was replaced by a link for a moment.
 */
export function isConfirmed(
  { target }: Pick<SearchRequest, "target">,
  { name, lines }: FoundFile,
): boolean {
  const text = readUnmoved(name === "" ? target : join(target, name));
  if (text === undefined) return false;
  const all = text.split("\n");
  return lines.every(
    (line) =>
      line.text === all[line.number - 1]?.replace(/\r$/, "").slice(0, MAX_LINE_CHARACTERS + 1),
  );
}

function readUnmoved(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
    return isOpenFileAt(descriptor, path, stats) ? decode(readFileSync(descriptor)) : undefined;
  } catch (error) {
    // It was moved or removed in the meantime.
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** As ripgrep does: a byte order mark decides. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}
