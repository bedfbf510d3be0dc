import { type Disk, errorCode, nodeDisk } from "@caliban/common/node";
import type { RewoundWhat } from "@caliban/sessions";
import { type FileState, readFileState, restoreFile } from "@caliban/tools-builtin/node";
import type { OpenCheckpoints } from "./checkpoints.ts";
import type { ShownStep } from "./inspect-files.ts";
import type { ChangeEntry, JournalEntry, NextState, Position, SavedState } from "./journal.ts";
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
  checkpoints: OpenCheckpoints,
  input: RewindFilesInput,
  disk: Disk = nodeDisk,
): Promise<RewoundFiles> {
  const { store, position, nextId } = checkpoints;
  const { to, what, number } = input;
  const here: Position = { ...position(), rewinds: number };
  const prepared: Prepared[] = [];
  const failed: FailedFile[] = [];
  for (const step of input.steps) {
    const entry = { id: nextId() + prepared.length, at: new Date(input.nowMs).toISOString() };
    const result = await prepareStep(checkpoints, step, { ...entry, ...here });
    if ("reason" in result) failed.push(result);
    else prepared.push(result);
  }
  if (prepared.length === 0) return { restored: [], removed: [], failed };
  const begin: JournalEntry = { type: "rewind", id: number, to, what };
  const refused = await tryAppend(store, [begin, ...prepared.map(({ entry }) => entry)], here);
  if (refused === undefined)
    return await restoreAll(store, { prepared, failed, here, number, disk });
  const reason = `what is there now cannot be saved (${refused})`;
  const others = prepared.map(({ step }) => ({ display: step.display, reason }));
  return { restored: [], removed: [], failed: [...failed, ...others] };
}

type FailedFile = RewoundFiles["failed"][number];

interface Prepared {
  readonly step: ShownStep;
  readonly entry: ChangeEntry;
  readonly content: Uint8Array | undefined;
}

/** Reads what a file was, and saves what is there now. */
async function prepareStep(
  { store, saveFile }: OpenCheckpoints,
  step: ShownStep,
  entry: Pick<ChangeEntry, "id" | "at"> & Position,
): Promise<Prepared | FailedFile> {
  const { display, path, current, target } = step;
  const content = target.kind === "file" ? store.read(target.sha256) : undefined;
  if (target.kind === "file" && content === undefined)
    return { display, reason: "its earlier content is damaged in the state directory" };
  const before = await saveFile(path);
  if (before.kind === "unsaved") return { display, reason: UNSAVED[before.reason] };
  if (!isSameContent(current, before)) return { display, reason: CHANGED };
  const change: ChangeEntry = { type: "change", ...entry, path, before, after: afterOf(target) };
  return { step, entry: change, content };
}

/** Returns the code of a system error. The entries are written with the next ones then. */
async function tryAppend(
  store: SessionStore,
  entries: readonly JournalEntry[],
  here: Position,
): Promise<string | undefined> {
  try {
    await store.append(entries, here);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code;
  }
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
    const isUnchanged = isSameContent(current, entry.before);
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
  // If this is refused, the files are what they should be, and the next rewind accepts them as well.
  await tryAppend(store, [...done, { type: "rewound", id: number }], here);
  return { restored, removed, failed };
}

function isSameContent(current: FileState, before: SavedState): boolean {
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
  limit: "not enough space to save its current content first",
  failed: "what is there now cannot be saved first",
} as const;

function refusal(code: string): string {
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EROFS") return "the disk is read-only";
  return code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : `system error ${code}`;
}
