/** Removes escape sequences from text that arrives in chunks. */
export interface AnsiStripper {
  readonly push: (chunk: string) => string;
  readonly end: () => string;
}

// Operating system commands up to their end, control sequences, and two-character sequences.
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-Z\\^-~]/g;

// The start of a sequence may continue in the next chunk. Real sequences are not longer than this.
const MAX_HELD_CHARACTERS = 4_096;

/** Finds sequences however the text is split. Also removes the carriage return before a line end. */
export function createAnsiStripper(): AnsiStripper {
  let [heldSequence, heldReturn] = ["", ""];
  return {
    push: (chunk) => {
      const text = heldSequence + chunk;
      const from = startOfUnfinished(text);
      heldSequence = text.slice(from);
      const plain = heldReturn + text.slice(0, from).replace(SEQUENCE, "");
      heldReturn = plain.endsWith("\r") ? "\r" : "";
      return plain.slice(0, plain.length - heldReturn.length).replaceAll("\r\n", "\n");
    },
    end: () => heldReturn + heldSequence.replace(SEQUENCE, ""),
  };
}

function startOfUnfinished(text: string): number {
  const tail = Math.max(0, text.length - MAX_HELD_CHARACTERS);
  const end = text.slice(tail).replace(SEQUENCE, (found) => "\0".repeat(found.length));
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  const at = end.search(/[\u001B\u009B]/);
  return at === -1 ? text.length : tail + at;
}
