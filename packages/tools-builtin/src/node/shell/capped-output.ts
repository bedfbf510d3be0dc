import { createOutputFile, type OutputFile } from "./output-file.ts";

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
