import { readTextFile, withFileLock, writeFileAtomic } from "@caliban/common/node";
import {
  addHistoryEntry,
  type HistoryEntry,
  parseHistory,
  renderHistory,
} from "../input/history-entries.ts";

/** Far beyond what is ever written; a file that is longer is not ours. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The lines that the user sent, in a file that several processes share. */
export interface HistoryFile {
  /** Oldest first. @throws if the file exists and cannot be read */
  readonly read: () => readonly HistoryEntry[];
  /** @throws if the file cannot be read or written */
  readonly add: (entry: HistoryEntry) => Promise<void>;
}

/** Opens a history file, which is created with the first entry. */
export function openHistoryFile(path: string): HistoryFile {
  const read = (): readonly HistoryEntry[] => {
    const file = readTextFile(path, MAX_BYTES, { refuseLinks: true });
    if (file.kind === "missing") return [];
    if (file.kind !== "text") throw Object.assign(new Error(file.message), { code: "EUNREADABLE" });
    return parseHistory(file.text);
  };
  return {
    read,
    add: async (entry) =>
      await withFileLock(path, async () => {
        // Read again under the lock: another process may have added entries.
        await writeFileAtomic(path, renderHistory(addHistoryEntry(read(), entry)));
      }),
  };
}
