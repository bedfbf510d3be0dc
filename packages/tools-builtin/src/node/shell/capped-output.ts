import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@caliban/common/node";

/** The part of an output that is shown, and the file with the full text if that is longer. */
export interface CappedText {
  readonly text: string;
  /** How many lines were printed, shown or not. */
  readonly lines: number;
  readonly file?: string | undefined;
}

/** Takes output of any length and keeps little of it in memory. */
export interface CappedOutput {
  readonly push: (text: string) => void;
  readonly end: () => CappedText;
}

const MAX_SHOWN_CHARACTERS = 30_000;
const HALF = MAX_SHOWN_CHARACTERS / 2;

/** Keeps the start and the end. Output that is too long to be shown is saved in full to a private file. */
export function createCappedOutput(directory: () => string, name = "bash"): CappedOutput {
  let [head, tail, total] = ["", "", 0];
  let [breaks, lastBreak] = [0, -1];
  const countLines = (text: string): void => {
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
      breaks += 1;
      lastBreak = total + at;
    }
    total += text.length;
  };
  let file: OutputFile | undefined;
  return {
    push: (text) => {
      countLines(text);
      if (total > MAX_SHOWN_CHARACTERS && file === undefined) {
        file = createOutputFile(() => newPath(directory(), name));
        file.write(head + tail);
      }
      file?.write(text);
      const room = HALF - head.length;
      if (room > 0) head += text.slice(0, room);
      // Trimmed only now and then, because trimming copies the text.
      tail += text.slice(Math.max(0, room));
      if (tail.length > 4 * HALF) tail = tail.slice(-HALF);
    },
    end: () => {
      const lines = breaks + (total > lastBreak + 1 ? 1 : 0);
      if (file === undefined) return { text: head + tail, lines };
      const { path, description } = file.close();
      const [start, last] = [untilLastLine(head), fromNextLine(tail.slice(-HALF))];
      const note = `[… ${total - start.length - last.length} characters left out; ${description} …]`;
      return {
        text: `${start.toWellFormed()}\n${note}\n${last.toWellFormed()}`,
        lines,
        file: path,
      };
    },
  };
}

function untilLastLine(text: string): string {
  const newline = text.lastIndexOf("\n");
  return newline > text.length / 2 ? text.slice(0, newline) : text;
}

function fromNextLine(text: string): string {
  const newline = text.indexOf("\n");
  return newline !== -1 && newline < text.length / 2 ? text.slice(newline + 1) : text;
}

/** A private file for the first 50 MB of an output. */
interface OutputFile {
  readonly write: (text: string) => void;
  /** Describes for the model where the output is. There is no path if the file could not be written. */
  readonly close: () => { readonly path?: string; readonly description: string };
}

const MAX_BYTES = 50_000_000;

/** A disk error does not end the command: the model is told that the full text was not saved. */
function createOutputFile(choosePath: () => string): OutputFile {
  let room = MAX_BYTES;
  let [isComplete, failure, path] = [true, "", ""];
  let descriptor: number | undefined;
  const unlessFailed = (action: () => void): void => {
    if (failure !== "") return;
    try {
      action();
    } catch (error) {
      failure = errorCode(error) ?? "";
      if (failure === "") throw error;
    }
  };
  const writeAll = (to: number, bytes: Buffer): void => {
    isComplete &&= bytes.length <= room;
    for (let from = 0; from < bytes.length && room > 0;) {
      // Synchronous, so that the command cannot produce output faster than the disk takes it.
      const written = writeSync(to, bytes, from, Math.min(bytes.length - from, room));
      from += written;
      room -= written;
    }
  };
  unlessFailed(() => {
    path = choosePath();
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  });
  return {
    write: (text) =>
      unlessFailed(() => {
        if (descriptor !== undefined) writeAll(descriptor, Buffer.from(text));
      }),
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      if (failure !== "") return { description: `they could not be saved to a file (${failure})` };
      const saved = isComplete ? "the full text is" : "the first 50 MB are";
      return { path, description: `${saved} in ${path}` };
    },
  };
}

function newPath(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return join(directory, `${name}-${crypto.randomUUID()}.txt`);
}
