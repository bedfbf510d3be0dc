import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Disk,
  errorCode,
  hasCode,
  lstatIfExists,
  nodeDisk,
  writeFileAtomic,
} from "@caliban/common/node";
import {
  CUT_MARK,
  type JournalEntry,
  parseJournal,
  type Position,
  renderEntry,
} from "./journal.ts";

/** The checkpoints of one session: a journal of changes, and the contents of files by their hash. */
export interface SessionStore {
  readonly entries: () => readonly JournalEntry[];
  /** Begins a new journal. It is written with the first change. */
  readonly begin: (start: JournalEntry) => void;
  /**
   * Appends entries, and returns once they are on disk. Entries that the disk refused are written with the next ones.
   * @throws a system error
   */
  readonly append: (entries: readonly JournalEntry[], position: Position) => Promise<void>;
  /** Stores a content once. @throws a system error */
  readonly save: (content: StoredContent) => Promise<void>;
  /** `undefined` if it is missing or damaged. */
  readonly read: (sha256: string) => Uint8Array | undefined;
  readonly has: (sha256: string) => boolean;
  /** How many bytes of contents this process has added. */
  readonly addedBytes: () => number;
}

interface StoredContent {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export const JOURNAL = "journal.jsonl";
export const OBJECTS = "objects";

/** Opens the checkpoints of a session. Nothing is created before the first entry. */
export function openSessionStore(directory: string, disk: Disk = nodeDisk): SessionStore {
  const journal = join(directory, JOURNAL);
  const stored = readIfExists(journal);
  let entries: readonly JournalEntry[] = parseJournal(stored ?? "");
  let hasFile = stored !== undefined;
  let isCut = stored !== undefined && stored !== "" && !stored.endsWith("\n");
  let pending: readonly JournalEntry[] = [];
  let addedBytes = 0;
  const pathOf = (sha256: string): string => join(directory, OBJECTS, sha256);

  const write = async (position: Position): Promise<void> => {
    if (hasFile && lstatIfExists(journal) === undefined) {
      // It was removed, by the user or to make room. What was changed before is not known any more.
      entries = [{ type: "start", after: position }, ...pending];
      pending = entries;
    }
    await disk.makeDirectory(directory);
    const descriptor = await disk.openToAppend(journal);
    hasFile = true;
    try {
      const end = isCut ? CUT_MARK : "";
      isCut = true;
      await disk.write(descriptor, end + pending.map(renderEntry).join(""));
      isCut = false;
      await disk.sync(descriptor);
    } finally {
      await disk.close(descriptor);
    }
    pending = [];
  };
  return {
    entries: () => entries,
    begin: (start) => {
      entries = [start];
      pending = [start];
    },
    append: async (added, position) => {
      entries = [...entries, ...added];
      pending = [...pending, ...added];
      await write(position);
    },
    save: async ({ sha256, bytes }) => {
      const path = pathOf(sha256);
      if (lstatIfExists(path)?.size === bytes.length) return;
      await writeFileAtomic(path, async (part) => await part(bytes), disk);
      addedBytes += bytes.length;
    },
    read: (sha256) => {
      const bytes = readIfExists(pathOf(sha256), null);
      return bytes !== undefined && hashOf(bytes) === sha256 ? bytes : undefined;
    },
    has: (sha256) => lstatIfExists(pathOf(sha256)) !== undefined,
    addedBytes: () => addedBytes,
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function readIfExists(path: string): string | undefined;
function readIfExists(path: string, encoding: null): Uint8Array | undefined;
function readIfExists(
  path: string,
  encoding: "utf8" | null = "utf8",
): string | Uint8Array | undefined {
  try {
    return readFileSync(path, encoding);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    if (encoding === null && errorCode(error) !== undefined) return undefined;
    throw error;
  }
}
