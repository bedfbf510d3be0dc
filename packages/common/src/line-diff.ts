/** A changed part of a text, with the lines around it. */
export interface DiffHunk {
  /** The line number of the first line in the new text, from 1. */
  readonly line: number;
  readonly lead: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly tail: readonly string[];
}

/** The most lines that one comparison removes and adds before it gives up looking for the smallest change. */
const MAX_EDITS = 400;

/**
 * The changed lines between two texts, each change with up to `contextLines` lines around it. The smallest change is
 * looked for only up to a limit; beyond it, everything from the first to the last changed line counts as replaced.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  contextLines: number,
): readonly DiffHunk[] {
  const [start, end] = commonEnds(before, after);
  const middle = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ] as const;
  const changes = smallestChanges(...middle) ?? [wholeChange(...middle)];
  let free = 0;
  return changes.map((change, index) => {
    const [oldStart, newStart] = [start + change.oldStart, start + change.newStart];
    const [oldEnd, newEnd] = [start + change.oldEnd, start + change.newEnd];
    const next = changes[index + 1];
    const limit = next === undefined ? after.length : start + next.newStart;
    const from = Math.max(free, newStart - contextLines);
    const to = Math.min(limit, newEnd + contextLines);
    free = to;
    return {
      line: from + 1,
      lead: after.slice(from, newStart),
      before: before.slice(oldStart, oldEnd),
      after: after.slice(newStart, newEnd),
      tail: after.slice(newEnd, to),
    };
  });
}

/** The lines of a text, without their ends. */
export function splitLines(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text)
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
}

/** How many lines are equal at the start, and how many of the others at the end. */
function commonEnds(one: readonly string[], other: readonly string[]): readonly [number, number] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [start, end];
}

interface Change {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

function wholeChange(before: readonly string[], after: readonly string[]): Change {
  return { oldStart: 0, oldEnd: before.length, newStart: 0, newEnd: after.length };
}

/** Myers' greedy search for the shortest path through the edit graph; `undefined` when that is too long. */
function smallestChanges(
  before: readonly string[],
  after: readonly string[],
): readonly Change[] | undefined {
  if (before.length === 0 && after.length === 0) return [];
  const history: ReadonlyMap<number, number>[] = [];
  const furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    const reached = new Map(furthest);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let old = isDown(furthest, diagonal, edits)
        ? at(furthest, diagonal + 1)
        : at(furthest, diagonal - 1) + 1;
      while (
        old < before.length &&
        old - diagonal < after.length &&
        before[old] === after[old - diagonal]
      )
        old += 1;
      furthest.set(diagonal, old);
      if (old < before.length || old - diagonal < after.length) continue;
      return pathChanges([...history, reached], before.length, after.length);
    }
    history.push(reached);
  }
  return undefined;
}

function isDown(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  return (
    diagonal === -edits ||
    (diagonal !== edits && at(furthest, diagonal - 1) < at(furthest, diagonal + 1))
  );
}

function at(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? 0;
}

/** Walks back from the end, and merges steps that follow one another. */
function pathChanges(
  history: readonly ReadonlyMap<number, number>[],
  oldLength: number,
  newLength: number,
): readonly Change[] {
  const changes: Change[] = [];
  let [old, now] = [oldLength, newLength];
  for (let edits = history.length - 1; edits > 0; edits--) {
    const furthest = history[edits] ?? new Map<number, number>();
    const diagonal = old - now;
    const down = isDown(furthest, diagonal, edits);
    const previousOld = at(furthest, down ? diagonal + 1 : diagonal - 1);
    const previousNow = previousOld - (down ? diagonal + 1 : diagonal - 1);
    const [oldEnd, newEnd] = down ? [previousOld, previousNow + 1] : [previousOld + 1, previousNow];
    const later = changes.at(-1);
    if (later?.oldStart === oldEnd && later.newStart === newEnd) {
      changes[changes.length - 1] = { ...later, oldStart: previousOld, newStart: previousNow };
    } else {
      changes.push({ oldStart: previousOld, oldEnd, newStart: previousNow, newEnd });
    }
    [old, now] = [previousOld, previousNow];
  }
  return changes.toReversed();
}
