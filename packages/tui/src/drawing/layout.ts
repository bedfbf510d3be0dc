/** The lines of a whole screen, and which of them still change. */
export interface Layout {
  readonly lines: readonly string[];
  /** The number of leading lines that are final: only these may leave the window for the scrollback. */
  readonly stableCount: number;
  /** The first line of each item, so that a line can be found again at another width. */
  readonly itemStarts: readonly number[];
  /** The number of leading lines that belong to the transcript; the prompt and its surroundings follow. */
  readonly transcriptCount: number;
}

/** Where a line is, independent of the width of the terminal. */
export interface LineAnchor {
  readonly item: number;
  /** From 0 for the first line of the item to 1 for its end. */
  readonly share: number;
}

export function anchorOf(line: number, { itemStarts, transcriptCount }: ItemLayout): LineAnchor {
  const item = itemStarts.findLastIndex((start) => start <= line);
  const start = itemStarts[item] ?? 0;
  const end = itemStarts[item + 1] ?? transcriptCount;
  return { item, share: end === start ? 0 : Math.min(1, (line - start) / (end - start)) };
}

/** Lines wrap unevenly, so a line is looked for this much earlier: a line twice is better than a line lost. */
const MARGIN_LINES = 2;

/** The line of an anchor in another layout, or a little before it. */
export function findAnchor({ item, share }: LineAnchor, layout: ItemLayout): number {
  const { itemStarts, transcriptCount } = layout;
  if (item < 0) return 0;
  const start = itemStarts[item] ?? transcriptCount;
  const end = itemStarts[item + 1] ?? transcriptCount;
  if (share === 0) return start;
  return Math.max(start, start + Math.floor((end - start) * share) - MARGIN_LINES);
}

type ItemLayout = Pick<Layout, "itemStarts" | "transcriptCount">;
