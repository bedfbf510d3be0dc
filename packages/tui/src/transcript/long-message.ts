interface RowCounts {
  readonly head: number;
  readonly tail: number;
}

/** The rows of a message that are shown at first, and after Ctrl-O. */
const SHORT: RowCounts = { head: 24, tail: 8 };
const LONG: RowCounts = { head: 192, tail: 8 };

interface LongMessageInput {
  readonly width: number;
  readonly isExpanded: boolean;
  /** Wraps a text into rows. */
  readonly wrap: (text: string) => readonly string[];
  /** Styles the row in the place of those that are left out. */
  readonly note: (text: string) => string;
}

/** The start and the end of a message: a pasted log would push everything else away, and take seconds to wrap. */
export function longMessageRows(text: string, input: LongMessageInput): readonly string[] {
  const { width, isExpanded, wrap, note } = input;
  const { head, tail } = isExpanded ? LONG : SHORT;
  const max = head + tail;
  const isShort = text.length <= max * width;
  const rows = isShort ? wrap(text) : [];
  // A note in the place of two rows would be a loss.
  if (isShort && rows.length <= max + 2) return rows;
  const lines = text.split("\n").length.toLocaleString("en-US");
  const characters = text.length.toLocaleString("en-US");
  return [
    ...wrap(text.slice(0, head * width).toWellFormed()).slice(0, head),
    note(`… ${lines} lines, ${characters} characters; only the start and the end are shown …`),
    ...wrap(text.slice(-tail * width).toWellFormed()).slice(-tail),
  ];
}
