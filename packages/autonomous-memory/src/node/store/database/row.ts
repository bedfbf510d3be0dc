import type { SQLOutputValue } from "node:sqlite";

/** One row of a result, by column name. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A required number. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new TypeError(`column ${column} is not a number`);
}

/** A number, or `undefined` for NULL. */
export function optionalNumberOf(row: Row, column: string): number | undefined {
  return row[column] === null ? undefined : numberOf(row, column);
}

/** A required text. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`column ${column} is not a text`);
}

/** A text, or `undefined` for NULL. */
export function optionalTextOf(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textOf(row, column);
}

/** One of a fixed set of texts. */
export function enumOf<Value extends string>(
  row: Row,
  column: string,
  values: readonly Value[],
): Value {
  const text = textOf(row, column);
  const value = values.find((each) => each === text);
  if (value === undefined) throw new TypeError(`column ${column} has an unknown value: ${text}`);
  return value;
}
