/** One page of a longer text, and a note that says which. */
interface LinePage {
  readonly lines: readonly string[];
  /** Shown where lines are left out; empty when nothing is. */
  readonly note: string;
  /** The number of lines before the note. */
  readonly noteAt: number;
}

interface PageInput {
  /** Counted from 0. */
  readonly page: number;
  /** The available rows, including the note. */
  readonly maxRows: number;
}

const KEYS = "PgDn, PgUp or Ctrl-O";

/** How many pages it takes to see every line. */
export function countPages(count: number, maxRows: number): number {
  if (count <= maxRows) return 1;
  const { head, room } = split(maxRows);
  return 1 + Math.ceil((count - head) / room);
}

/**
 * One page of the lines. The first page also shows the end, because the dangerous part of a command may follow a long
 * safe one; the next pages continue where its beginning stopped.
 */
export function pageLines(lines: readonly string[], { page, maxRows }: PageInput): LinePage {
  if (lines.length <= maxRows) return { lines, note: "", noteAt: lines.length };
  const { head, room } = split(maxRows);
  if (page === 0) {
    const tail = room - head;
    const hiddenCount = lines.length - room;
    return {
      lines: [...lines.slice(0, head), ...lines.slice(lines.length - tail)],
      note: `… ${hiddenCount} of ${lines.length} lines hidden; ${KEYS} to see them …`,
      noteAt: head,
    };
  }
  const start = head + (page - 1) * room;
  const shown = lines.slice(start, start + room);
  const note = `lines ${start + 1} to ${start + shown.length} of ${lines.length}; ${KEYS} for more`;
  return { lines: shown, note, noteAt: shown.length };
}

function split(maxRows: number): { readonly head: number; readonly room: number } {
  const room = Math.max(2, maxRows - 1);
  return { room, head: Math.floor(room * 0.7) };
}
