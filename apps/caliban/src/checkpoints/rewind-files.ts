import { type Disk, errorCode, nodeDisk } from "@caliban/common/node";
import type { RewoundWhat } from "@caliban/sessions";
import { readFileState, restoreFile } from "@caliban/tools-builtin/node";
import type { OpenCheckpoints } from "./checkpoints.ts";
import type { ShownStep } from "./inspect-files.ts";
import type { ChangeEntry, JournalEntry, NextState, Position } from "./journal.ts";
import type { SessionStore } from "./session-store.ts";

export interface RewindFilesInput {
  /** The steps to carry out. */
  readonly steps: readonly ShownStep[];
  readonly to: string;
  readonly what: RewoundWhat;
  /** The number of this rewind. */
  readonly number: number;
  readonly nowMs: number;
}

/** What became of the files. */
export interface RewoundFiles {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly failed: readonly { readonly display: string; readonly reason: string }[];
}

/**
 * Brings files back. First, everything that is there now is saved, so that the rewind can be undone, and that is on disk
 * before the first file is touched. A crash leaves each file as it was or as it should be, and the same rewind can be
 * repeated. If the disk cannot store what is there, nothing is changed.
 */
export async function rewindFiles(
  { store, position, nextId, saveFile }: OpenCheckpoints,
  { steps, to, what, number, nowMs }: RewindFilesInput,
  disk: Disk = nodeDisk,
): Promise<RewoundFiles> {
  const here: Position = { ...position(), rewinds: number };
  const prepared: Prepared[] = [];
  const failed: { readonly display: string; readonly reason: string }[] = [];
  let id = nextId();
  for (const step of steps) {
    const { display, path, current, target } = step;
    const content = target.kind === "file" ? store.read(target.sha256) : undefined;
    if (target.kind === "file" && content === undefined) {
      failed.push({ display, reason: "its earlier content is damaged in the state directory" });
      continue;
    }
    const before = await saveFile(path);
    if (before.kind === "unsaved") {
      failed.push({ display, reason: UNSAVED[before.reason] });
      continue;
    }
    const isSame =
      before.kind === current.kind &&
      (before.kind !== "file" || current.kind !== "file" || before.sha256 === current.sha256);
    if (!isSame) {
      failed.push({ display, reason: CHANGED });
      continue;
    }
    const at = new Date(nowMs).toISOString();
    const after = afterOf(target);
    const entry: ChangeEntry = { type: "change", id, at, ...here, path, before, after };
    prepared.push({ step, entry, content });
    id += 1;
  }
  if (prepared.length === 0) return { restored: [], removed: [], failed };
  try {
    const begin: JournalEntry = { type: "rewind", id: number, to, what };
    await store.append([begin, ...prepared.map(({ entry }) => entry)], here);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const reason = `what is there now cannot be saved (${code})`;
    return {
      restored: [],
      removed: [],
      failed: [...failed, ...prepared.map(({ step }) => ({ display: step.display, reason }))],
    };
  }
  return await restoreAll(store, { prepared, failed, here, number, disk });
}

interface Prepared {
  readonly step: ShownStep;
  readonly entry: ChangeEntry;
  readonly content: Uint8Array | undefined;
}

interface Restoring {
  readonly prepared: readonly Prepared[];
  readonly failed: RewoundFiles["failed"];
  readonly here: Position;
  readonly number: number;
  readonly disk: Disk;
}

async function restoreAll(
  store: SessionStore,
  { prepared, failed: before, here, number, disk }: Restoring,
): Promise<RewoundFiles> {
  const [restored, removed]: [string[], string[]] = [[], []];
  const failed = [...before];
  const done: JournalEntry[] = [];
  for (const { step, entry, content } of prepared) {
    const { path, display, target } = step;
    // Read again, because other files were saved in the meantime.
    const current = await readFileState(path);
    const isUnchanged = isSaved(current, entry);
    const mode = target.kind === "file" ? target.mode : undefined;
    const bytes =
      mode === undefined || content === undefined ? undefined : { bytes: content, mode };
    const outcome = isUnchanged
      ? await restoreFile({ path, display, content: bytes, current }, disk)
      : ({ kind: "changed" } as const);
    if (outcome.kind === "restored") {
      (bytes === undefined ? removed : restored).push(display);
      done.push({ type: "done", id: entry.id, ...(mode === undefined ? {} : { mode }) });
    } else {
      failed.push({
        display,
        reason: outcome.kind === "changed" ? CHANGED : refusal(outcome.code),
      });
    }
  }
  try {
    await store.append([...done, { type: "rewound", id: number }], here);
  } catch (error) {
    // The files are what they should be. The next rewind asks about them once more.
    if (errorCode(error) === undefined) throw error;
  }
  return { restored, removed, failed };
}

function isSaved(
  current: Awaited<ReturnType<typeof readFileState>>,
  { before }: ChangeEntry,
): boolean {
  if (current.kind !== "file" || before.kind !== "file") return current.kind === before.kind;
  return current.sha256 === before.sha256;
}

function afterOf(target: ShownStep["target"]): NextState {
  if (target.kind !== "file") return { kind: "absent" };
  const { sha256, bytes } = target;
  return { kind: "file", sha256, bytes };
}

const CHANGED = "another program changed it at the same moment";

const UNSAVED = {
  "too-large": "what is there now is too large to be saved first",
  limit: "there is no room to save what is there now",
  failed: "what is there now cannot be saved first",
} as const;

function refusal(code: string): string {
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EROFS") return "the disk is read-only";
  return code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : `system error ${code}`;
}
