/** Takes escape sequences out of text that comes in pieces. */
export interface AnsiStripper {
  readonly push: (piece: string) => string;
  readonly end: () => string;
}

// Strings of the system up to their end, control sequences, and the short ones.
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-Z\\^-~]/g;

// What may become a sequence with the next piece; a longer one is none that a person would miss.
const MOST_HELD = 4_096;

/** Sequences are found however they are cut. A carriage return before a line end goes, too. */
export function createAnsiStripper(): AnsiStripper {
  let [heldSequence, heldReturn] = ["", ""];
  return {
    push: (piece) => {
      const text = heldSequence + piece;
      const from = unfinishedFrom(text);
      heldSequence = text.slice(from);
      const plain = heldReturn + text.slice(0, from).replace(SEQUENCE, "");
      heldReturn = plain.endsWith("\r") ? "\r" : "";
      return plain.slice(0, plain.length - heldReturn.length).replaceAll("\r\n", "\n");
    },
    end: () => heldReturn + heldSequence.replace(SEQUENCE, ""),
  };
}

function unfinishedFrom(text: string): number {
  const tail = Math.max(0, text.length - MOST_HELD);
  const end = text.slice(tail).replace(SEQUENCE, (found) => "\0".repeat(found.length));
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  const at = end.search(/[\u001B\u009B]/);
  return at === -1 ? text.length : tail + at;
}
