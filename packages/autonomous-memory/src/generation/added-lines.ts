/** Cells of the table below; a text that was written anew throughout is told apart without it. */
const MAX_CELLS = 4_000_000;

/** For every line of `after`, whether it was put there since `before`: the fewest lines that explain the difference. */
export function addedLines(
  before: readonly string[],
  after: readonly string[],
): readonly boolean[] {
  const head = commonHead(before, after);
  const tail = commonTail(before.slice(head), after.slice(head));
  const [rows, columns] = [before.length - head - tail, after.length - head - tail];
  const added = after.map((_, index) => index >= head && index < after.length - tail);
  if (rows * columns > MAX_CELLS || rows === 0 || columns === 0) return added;
  const kept = keptLines(before.slice(head, head + rows), after.slice(head, head + columns));
  return added.map((isAdded, index) => isAdded && !kept.has(index - head));
}

/** Which lines of `after` are in the longest sequence that both have. */
function keptLines(before: readonly string[], after: readonly string[]): ReadonlySet<number> {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const kept = new Set<number>();
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      kept.add(column);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
}

function commonHead(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((line, index) => line !== other[index]);
  return end === -1 ? Math.min(one.length, other.length) : end;
}

function commonTail(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (
    length < Math.min(one.length, other.length) &&
    one.at(-1 - length) === other.at(-1 - length)
  )
    length += 1;
  return length;
}
