import { terminalSafeLine } from "@caliban/common";
import { renderRows } from "../topics/list.ts";

type ImportOutcome =
  | "to import"
  | "imported"
  | "to copy"
  | "copied"
  | "to merge"
  | "merged"
  | "there already"
  | "left out"
  | "left to you"
  | "not copied";

/** What is to become, or became, of one file. */
export interface ImportRow {
  readonly outcome: ImportOutcome;
  /** What it is called here, or would be. */
  readonly name: string;
  readonly bytes?: number | undefined;
  readonly path: string;
  readonly sentence?: string | undefined;
}

/** Whether something is to be done about a row. */
export function isWanted({ outcome }: ImportRow): boolean {
  return outcome.startsWith("to ");
}

/** One line a file: what becomes of it, its name, its size, where it is, and why. */
export function renderImport(rows: readonly ImportRow[], shown: (path: string) => string): string {
  const cells = rows.map(({ outcome, name, bytes, path, sentence }) => [
    outcome.padEnd(13),
    terminalSafeLine(name),
    bytes === undefined ? "" : renderSize(bytes),
    shown(path),
    sentence === undefined ? "" : `(${terminalSafeLine(sentence)})`,
  ]);
  return renderRows(cells).replaceAll(/ +$/gm, "");
}

function renderSize(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
}
