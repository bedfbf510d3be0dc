import { lstatSync } from "node:fs";
import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import type { FileChange } from "@caliban/tools-builtin/node";
import type { Limits } from "./checkpoint-directory.ts";
import type { OpenCheckpoints } from "./checkpoints.ts";
import type { ChangeEntry, JournalEntry, Position, SavedState } from "./journal.ts";

interface Reporting {
  readonly now: () => number;
  readonly limits: Limits;
  /** Reports a message once per key. */
  readonly report: (key: string, message: string) => void;
}

/** Saves a file that a tool is about to change. What it returns is called once the file is changed. */
export async function recordChange(
  opened: OpenCheckpoints,
  change: FileChange,
  reporting: Reporting,
): Promise<() => Promise<void>> {
  const { store } = opened;
  const { path, next } = change;
  const position = opened.position();
  const before = await stateBefore(opened, change, position);
  if (before.kind === "unsaved") reportUnsaved(change, before.reason, reporting);
  const id = opened.nextId();
  const at = new Date(reporting.now()).toISOString();
  const after = { kind: "file", ...next } as const;
  const append = async (entries: readonly JournalEntry[]): Promise<void> => {
    try {
      await store.append(entries, position);
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      reporting.report("journal", failureMessage(code));
    }
  };
  await append([{ type: "change", id, at, ...position, path, before, after }]);
  return async () => {
    const mode = modeOf(path);
    await append([{ type: "done", id, ...(mode === undefined ? {} : { mode }) }]);
  };
}

/** What a tool wrote in the same point is not saved again: no point begins with it. */
async function stateBefore(
  { store, saveFile: save }: OpenCheckpoints,
  { path, previous }: FileChange,
  position: Position,
): Promise<SavedState> {
  if (previous === undefined) return { kind: "absent" };
  const last = store.entries().findLast((entry) => entry.type === "change" && entry.path === path);
  if (last?.type === "change" && isSamePoint(last, position)) {
    const { after } = last;
    if (after.kind === "file" && after.sha256 === previous.sha256) return { kind: "kept" };
  }
  return await save(path);
}

function isSamePoint(entry: ChangeEntry, { message, rewinds }: Position): boolean {
  return entry.message === message && entry.rewinds === rewinds;
}

function modeOf(path: string): number | undefined {
  try {
    return lstatSync(path).mode & 0o7777;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function reportUnsaved(
  { display }: FileChange,
  reason: (SavedState & { readonly kind: "unsaved" })["reason"],
  { report, limits }: Reporting,
): void {
  const name = terminalSafeLine(display);
  const why = {
    "too-large": `it is larger than ${limits.fileBytes / 1_000_000} MB`,
    limit: `the checkpoints of this session have reached ${limits.sessionBytes / 1_000_000} MB`,
    failed: "the state directory cannot be written, or the file cannot be read",
  }[reason];
  report(
    `${reason} ${display}`,
    `${name} is changed without a checkpoint, because ${why}. /rewind cannot bring back what it was.`,
  );
}

function failureMessage(code: string): string {
  const why = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full. Free some space" : code;
  return `checkpoints in the state directory cannot be written: ${why}. Until then, /rewind cannot bring back files after a restart.`;
}
