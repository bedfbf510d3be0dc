import { isRecord, parseJson } from "@caliban/common";
import type { RewoundWhat } from "@caliban/sessions";

/** What a file was before a change. */
export type SavedState =
  /** Its content is in the store. */
  | {
      readonly kind: "file";
      readonly sha256: string;
      readonly bytes: number;
      readonly mode: number;
    }
  | { readonly kind: "absent" }
  /** What the entry before this one left: a tool wrote it in the same point. */
  | { readonly kind: "kept" }
  | { readonly kind: "unsaved"; readonly reason: UnsavedReason };

/** `limit`: the checkpoints of the session are full; `failed`: the disk refused to store it. */
type UnsavedReason = "too-large" | "limit" | "failed";

/** What a change makes of a file. */
export type NextState =
  | { readonly kind: "file"; readonly sha256: string; readonly bytes: number }
  | { readonly kind: "absent" };

/** A moment of a session: after which message of the user, and after which rewind. */
export interface Position {
  readonly message: number;
  readonly rewinds: number;
}

/** The changes of a session are complete from here on. */
interface StartEntry {
  readonly type: "start";
  readonly after: Position;
}

/** A change of a file, written before it is made. */
export interface ChangeEntry extends Position {
  readonly type: "change";
  readonly id: number;
  readonly at: string;
  /** Absolute, and without links. */
  readonly path: string;
  readonly before: SavedState;
  readonly after: NextState;
}

/** The change was made, and the file has this mode. */
interface DoneEntry {
  readonly type: "done";
  readonly id: number;
  readonly mode?: number | undefined;
}

/** A rewind of files begins. */
interface RewindEntry {
  readonly type: "rewind";
  readonly id: number;
  readonly to: string;
  readonly what: RewoundWhat;
}

/** It has ended. */
interface RewoundEntry {
  readonly type: "rewound";
  readonly id: number;
}

/** One line of the journal of a session. */
export type JournalEntry = StartEntry | ChangeEntry | DoneEntry | RewindEntry | RewoundEntry;

export function renderEntry(entry: JournalEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Ends a line that was cut short, so that it can be told from a damaged one: its change was never made. */
export const CUT_MARK = "#cut\n";

/** Reads a journal. After a damaged line, it is not known what was changed before. */
export function parseJournal(text: string): readonly JournalEntry[] {
  let entries: JournalEntry[] = [];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const entry = parseEntry(line);
    if (entry !== undefined) entries.push(entry);
    // The last line may be cut short, too.
    else if (index < lines.length - 1 && !`${line}\n`.endsWith(CUT_MARK))
      entries = restarted(entries);
  }
  return entries;
}

/** Entries before the damage still tell which bytes a tool has written. */
function restarted(entries: readonly JournalEntry[]): JournalEntry[] {
  const last = entries.findLast((entry) => entry.type === "change");
  const after = last ?? { message: 0, rewinds: 0 };
  return [...entries, { type: "start", after: { message: after.message, rewinds: after.rewinds } }];
}

function parseEntry(line: string): JournalEntry | undefined {
  const value = parseJson(line);
  if (!isRecord(value)) return undefined;
  switch (value["type"]) {
    case "start":
      return parseStart(value);
    case "change":
      return parseChange(value);
    case "done":
      return parseDone(value);
    case "rewind":
      return parseRewind(value);
    case "rewound":
      return isCount(value["id"]) ? { type: "rewound", id: value["id"] } : undefined;
    default:
      return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function parseStart({ after }: Fields): StartEntry | undefined {
  const position = isRecord(after) ? parsePosition(after) : undefined;
  return position && { type: "start", after: position };
}

function parsePosition({ message, rewinds }: Fields): Position | undefined {
  return isCount(message) && isCount(rewinds) ? { message, rewinds } : undefined;
}

function parseChange(value: Fields): ChangeEntry | undefined {
  const { id, at, path, before, after } = value;
  const position = parsePosition(value);
  const saved = isRecord(before) ? parseSaved(before) : undefined;
  const next = isRecord(after) ? parseNext(after) : undefined;
  if (position === undefined || saved === undefined || next === undefined) return undefined;
  if (!isCount(id) || typeof path !== "string" || path === "") return undefined;
  const time = typeof at === "string" ? at : "";
  return { type: "change", id, ...position, at: time, path, before: saved, after: next };
}

function parseSaved(value: Fields): SavedState | undefined {
  const { kind, mode, reason } = value;
  if (kind === "absent" || kind === "kept") return { kind };
  if (kind === "unsaved") {
    const known = UNSAVED_REASONS.find((each) => each === reason);
    return { kind, reason: known ?? "failed" };
  }
  const file = parseNext(value);
  if (file?.kind !== "file" || !isCount(mode) || mode > 0o7777) return undefined;
  return { ...file, mode };
}

const UNSAVED_REASONS: readonly UnsavedReason[] = ["too-large", "limit", "failed"];

function parseNext({ kind, sha256, bytes }: Fields): NextState | undefined {
  if (kind === "absent") return { kind };
  // The hash becomes the name of a file.
  const isHash = typeof sha256 === "string" && /^[\da-f]{64}$/.test(sha256);
  return kind === "file" && isHash && isCount(bytes) ? { kind, sha256, bytes } : undefined;
}

function parseDone({ id, mode }: Fields): DoneEntry | undefined {
  if (!isCount(id)) return undefined;
  return { type: "done", id, ...(isCount(mode) ? { mode } : {}) };
}

function parseRewind({ id, to, what }: Fields): RewindEntry | undefined {
  const known = (["conversation", "files", "both"] as const).find((each) => each === what);
  if (!isCount(id) || typeof to !== "string" || known === undefined) return undefined;
  return { type: "rewind", id, to, what: known };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
