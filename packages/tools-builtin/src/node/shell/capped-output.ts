import { closeSync, mkdirSync, openSync, constants, writeSync } from "node:fs";
import { join } from "node:path";

/** What is shown of an output, and where the whole is when that is more. */
export interface CappedText {
  readonly text: string;
  readonly file?: string | undefined;
}

/** Takes an output of any length, and keeps little of it. */
export interface CappedOutput {
  readonly push: (text: string) => void;
  readonly end: () => CappedText;
}

const MOST_SHOWN = 30_000;
const HALF = MOST_SHOWN / 2;
const MOST_FILE_BYTES = 50_000_000;

/** Its beginning and end are kept; once it is too long to be shown, all of it goes into a private file. */
export function createCappedOutput(directory: () => string): CappedOutput {
  let [head, tail, total] = ["", "", 0];
  let file: OutputFile | undefined;
  return {
    push: (text) => {
      total += text.length;
      if (total > MOST_SHOWN && file === undefined) file = openOutput(directory(), head + tail);
      file?.write(text);
      const room = HALF - head.length;
      if (room > 0) head += text.slice(0, room);
      // Trimmed now and then: to cut it for every piece would copy it each time.
      tail += text.slice(Math.max(0, room));
      if (tail.length > 4 * HALF) tail = tail.slice(-HALF);
    },
    end: () => {
      file?.close();
      if (file === undefined) return { text: head + tail };
      const [start, end] = [wholeLinesOf(head), tail.slice(-HALF)];
      const last = fromNextLine(end);
      const left = total - start.length - last.length;
      const which = file.isWhole() ? "all of it is" : "its first 50 MB are";
      const note = `[… ${left} characters left out; ${which} in ${file.path} …]`;
      const text = `${start.toWellFormed()}\n${note}\n${last.toWellFormed()}`;
      return { text, file: file.path };
    },
  };
}

interface OutputFile {
  readonly path: string;
  readonly write: (text: string) => void;
  readonly isWhole: () => boolean;
  readonly close: () => void;
}

function openOutput(directory: string, text: string): OutputFile {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `bash-${crypto.randomUUID()}.txt`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  let room = MOST_FILE_BYTES;
  let isWhole = true;
  const write = (piece: string): void => {
    const bytes = Buffer.from(piece);
    isWhole &&= bytes.length <= room;
    let from = 0;
    while (from < bytes.length && room > 0) {
      // Waiting for the disk here keeps the command from running ahead of it.
      const written = writeSync(descriptor, bytes, from, Math.min(bytes.length - from, room));
      from += written;
      room -= written;
    }
  };
  write(text);
  return { path, write, isWhole: () => isWhole, close: () => closeSync(descriptor) };
}

function wholeLinesOf(text: string): string {
  const newline = text.lastIndexOf("\n");
  return newline > text.length / 2 ? text.slice(0, newline) : text;
}

function fromNextLine(text: string): string {
  const newline = text.indexOf("\n");
  return newline !== -1 && newline < text.length / 2 ? text.slice(newline + 1) : text;
}
