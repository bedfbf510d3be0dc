/** A part of some lines, and in words which one. */
interface LinePage {
  readonly lines: readonly string[];
  /** Stands where lines were left out; empty when all are there. */
  readonly note: string;
  /** After how many of the lines the note stands. */
  readonly noteAt: number;
}

interface PageInput {
  /** The first one is 0. */
  readonly page: number;
  /** Lines there is room for, with the note. */
  readonly most: number;
}

const HOW = "PgDn, PgUp or Ctrl-O";

/** How many pages it takes to see every line. */
export function countPages(count: number, most: number): number {
  if (count <= most) return 1;
  const { head, room } = split(most);
  return 1 + Math.ceil((count - head) / room);
}

/**
 * One page of the lines. The first one also shows the end, because what harms may stand behind a long harmless part; the
 * others go on from where its beginning ended.
 */
export function pageLines(lines: readonly string[], { page, most }: PageInput): LinePage {
  if (lines.length <= most) return { lines, note: "", noteAt: lines.length };
  const { head, room } = split(most);
  if (page === 0) {
    const tail = room - head;
    const left = lines.length - room;
    return {
      lines: [...lines.slice(0, head), ...lines.slice(lines.length - tail)],
      note: `… ${left} of ${lines.length} lines are left out here: ${HOW} shows them …`,
      noteAt: head,
    };
  }
  const start = head + (page - 1) * room;
  const shown = lines.slice(start, start + room);
  const note = `lines ${start + 1} to ${start + shown.length} of ${lines.length}; ${HOW} turns the page`;
  return { lines: shown, note, noteAt: shown.length };
}

function split(most: number): { readonly head: number; readonly room: number } {
  const room = Math.max(2, most - 1);
  return { room, head: Math.floor(room * 0.7) };
}
