import { isAssignedSecret, type SecretFamily } from "../values/assigned-secret.ts";
import { isMixedPassword } from "../values/mixed-password.ts";
import { familyOf, KINDS, QUALIFIER, SECRET_NAME } from "./secret-name.ts";
import type { SecretSpan } from "../secret-span.ts";

interface Cell {
  readonly text: string;
  readonly start: number;
}

/** What a column contains; a column `Key` may also list keyboard keys or map keys. */
type Column = SecretFamily | "any key" | undefined;

const DELIMITER_ROW = /^[\s|:-]*-[\s|:-]*$/;
const HEADER = new RegExp(
  String.raw`(?:${SECRET_NAME}${QUALIFIER}|^(?<short>pass|pwd)|^(?<any>(?:[a-z]{1,12} )?key))(?: ?\([^()]{0,40}\))?$`,
  "i",
);
const MAX_HEADER_LENGTH = 80;
const HEX_KEY = /^(?=[0-9a-f]*\d)[0-9a-f]{32,}$/;
const MIN_KEY_LENGTH = 16;

/** Finds values in Markdown table columns named `Password`, `Token`, `Secret` or `Key`. */
export function findTableSecrets(text: string): readonly SecretSpan[] {
  const secrets: SecretSpan[] = [];
  let columns: readonly Column[] = [];
  let start = 0;
  let before = "";
  for (const line of text.split("\n")) {
    if (!line.includes("|")) columns = [];
    else if (DELIMITER_ROW.test(line)) columns = parseCells(before, 0).map(readHeader);
    else if (columns.some((column) => column !== undefined)) {
      secrets.push(...findInRow(parseCells(line, start), columns));
    }
    start += line.length + 1;
    before = line;
  }
  return secrets;
}

function readHeader({ text }: Cell): Column {
  const match = HEADER.exec(text.slice(0, MAX_HEADER_LENGTH));
  if (match === null) return undefined;
  return match.groups?.["any"] === undefined ? familyOf(match) : "any key";
}

function findInRow(cells: readonly Cell[], columns: readonly Column[]): readonly SecretSpan[] {
  return cells.flatMap(({ text, start }, index) => {
    const column = columns[index];
    if (column === undefined || !isSecretCell(text, column)) return [];
    const kind = column === "any key" ? KINDS.key : KINDS[column];
    return [{ kind, start, end: start + text.length }];
  });
}

function isSecretCell(value: string, column: SecretFamily | "any key"): boolean {
  if (/\s/.test(value)) return false;
  if (column !== "any key") {
    return isAssignedSecret({ family: column, value, isQuoted: false, isAdjacent: false });
  }
  return HEX_KEY.test(value) || (value.length >= MIN_KEY_LENGTH && isMixedPassword(value));
}

/** The cells of a row without the markup around their text. */
function parseCells(row: string, rowStart: number): readonly Cell[] {
  const cells: Cell[] = [];
  let start = row.trimStart().startsWith("|") ? row.indexOf("|") + 1 : 0;
  for (const written of row.slice(start).split("|")) {
    const text = written.replace(/^[\s"'`*]+/, "");
    const skipped = written.length - text.length;
    cells.push({ text: trimEnd(text), start: rowStart + start + skipped });
    start += written.length + 1;
  }
  return cells;
}

/** Written by hand, because a pattern anchored to the end would try every run of spaces inside the text. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s"'`*]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
