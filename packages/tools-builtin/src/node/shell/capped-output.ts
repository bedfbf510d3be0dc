import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@caliban/common/node";

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

/** Its beginning and end are kept; once it is too long to be shown, all of it goes into a private file. */
export function createCappedOutput(directory: () => string): CappedOutput {
  let [head, tail, total] = ["", "", 0];
  let file: OutputFile | undefined;
  return {
    push: (text) => {
      total += text.length;
      if (total > MOST_SHOWN && file === undefined) {
        file = createOutputFile(directory);
        file.write(head + tail);
      }
      file?.write(text);
      const room = HALF - head.length;
      if (room > 0) head += text.slice(0, room);
      // Trimmed now and then: to cut it for every piece would copy it each time.
      tail += text.slice(Math.max(0, room));
      if (tail.length > 4 * HALF) tail = tail.slice(-HALF);
    },
    end: () => {
      if (file === undefined) return { text: head + tail };
      const { path, where } = file.close();
      const [start, last] = [wholeLinesOf(head), fromNextLine(tail.slice(-HALF))];
      const note = `[… ${total - start.length - last.length} characters left out; ${where} …]`;
      return { text: `${start.toWellFormed()}\n${note}\n${last.toWellFormed()}`, file: path };
    },
  };
}

function wholeLinesOf(text: string): string {
  const newline = text.lastIndexOf("\n");
  return newline > text.length / 2 ? text.slice(0, newline) : text;
}

function fromNextLine(text: string): string {
  const newline = text.indexOf("\n");
  return newline !== -1 && newline < text.length / 2 ? text.slice(newline + 1) : text;
}

/** A private file that takes the first 50 MB of an output. */
export interface OutputFile {
  readonly write: (text: string) => void;
  /** Where the output is, for the model; without a path when the disk refused it. */
  readonly close: () => { readonly path?: string; readonly where: string };
}

const MOST_BYTES = 50_000_000;

/** What the disk refuses does not end the command: the model is told that the rest was not kept. */
export function createOutputFile(directory: () => string): OutputFile {
  let room = MOST_BYTES;
  let [isWhole, refusal, path] = [true, "", ""];
  let descriptor: number | undefined;
  const unlessRefused = (action: () => void): void => {
    if (refusal !== "") return;
    try {
      action();
    } catch (error) {
      refusal = errorCode(error) ?? "";
      if (refusal === "") throw error;
    }
  };
  const writeAll = (to: number, bytes: Buffer): void => {
    isWhole &&= bytes.length <= room;
    for (let from = 0; from < bytes.length && room > 0;) {
      // Waiting for the disk here keeps the command from running ahead of it.
      const written = writeSync(to, bytes, from, Math.min(bytes.length - from, room));
      from += written;
      room -= written;
    }
  };
  unlessRefused(() => {
    path = newPath(directory());
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  });
  return {
    write: (text) =>
      unlessRefused(() => {
        if (descriptor !== undefined) writeAll(descriptor, Buffer.from(text));
      }),
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      if (refusal !== "") return { where: `they could not be kept in a file (${refusal})` };
      return { path, where: `${isWhole ? "all of it is" : "its first 50 MB are"} in ${path}` };
    },
  };
}

function newPath(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return join(directory, `bash-${crypto.randomUUID()}.txt`);
}
