import type { SQLOutputValue } from "node:sqlite";

/** One row of an answer, by the names of its columns. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A number that is there. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new TypeError(`column ${column} is no number`);
}

/** A number, or `undefined` for NULL. */
export function optionalNumberOf(row: Row, column: string): number | undefined {
  return row[column] === null ? undefined : numberOf(row, column);
}

/** A text that is there. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`column ${column} is no text`);
}

/** A text, or `undefined` for NULL. */
export function optionalTextOf(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textOf(row, column);
}

/** A text out of a closed set. */
export function wordOf<Word extends string>(
  row: Row,
  column: string,
  words: readonly Word[],
): Word {
  const text = textOf(row, column);
  const word = words.find((each) => each === text);
  if (word === undefined) throw new TypeError(`column ${column} has an unknown word: ${text}`);
  return word;
}
