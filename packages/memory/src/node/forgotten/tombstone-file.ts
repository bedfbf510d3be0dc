import { readTextFile } from "@caliban/common/node";
import { activeTombstones, parseLine, type Tombstone } from "../../forgotten/tombstone.ts";

const MAX_BYTES: number = 64 * 1024 * 1024;

/** The tombstones of one file. */
export interface TombstoneFile {
  readonly tombstones: readonly Tombstone[];
  /** Its lines, damaged ones included. */
  readonly lines: readonly string[];
  /** Why some of it is ignored. */
  readonly problems: readonly string[];
  /** Whether the file exists and cannot be read, so that it must not be replaced. */
  readonly isUnreadable: boolean;
}

/** Reads a file of tombstones. A damaged line never affects the others. */
export function readTombstones(path: string): TombstoneFile {
  const file = readTextFile(path, MAX_BYTES, { refuseLinks: true });
  const nothing = { tombstones: [], lines: [] };
  if (file.kind === "missing") return { ...nothing, problems: [], isUnreadable: false };
  if (file.kind !== "text") {
    const problem = `forgotten.jsonl is not used: ${file.message}.`;
    return { ...nothing, problems: [problem], isUnreadable: true };
  }
  const lines = file.text.split("\n").filter((line) => line.trim() !== "");
  const parsed = lines.map(parseLine);
  const problems = parsed.flatMap((line, at) =>
    line === undefined ? [`forgotten.jsonl: line ${at + 1} is damaged and is ignored.`] : [],
  );
  const known = parsed.filter((line) => line !== undefined);
  const isUnreadable = file.readBytes < file.fileBytes;
  return { tombstones: activeTombstones(known), lines, problems, isUnreadable };
}
