import type { FileState } from "@caliban/tools-builtin/node";
import type { ChangeEntry, JournalEntry, NextState, Position, SavedState } from "./journal.ts";

/** A file that was changed since a point, and what it was then. */
export interface PlannedFile {
  readonly path: string;
  readonly target: Exclude<SavedState, { readonly kind: "kept" }>;
  /** What the last change has made of it. Several if that change may have been interrupted. */
  readonly known: readonly KnownState[];
}

type KnownState = NextState & { readonly mode?: number | undefined };

/** What was changed since a point. */
export interface RewindPlan {
  readonly files: readonly PlannedFile[];
  /** Whether all changes since are known. Otherwise files may have been changed before the first known one. */
  readonly isComplete: boolean;
}

/**
 * Plans how files become what they were before a message, such as `m3`, or before a rewind, such as `r1`. The first change
 * of a file since then knows what it was.
 */
export function planRewind(entries: readonly JournalEntry[], to: string): RewindPlan {
  const isSince = sincePoint(to);
  const start = entries.findLastIndex((entry) => entry.type === "start");
  const first = entries.findIndex((entry) => entry.type === "change" && isSince(entry));
  const begun = entries[start];
  const isComplete = begun?.type === "start" && isAfter(to, begun.after);
  if (first === -1) return { files: [], isComplete };
  const changes = entries.slice(first).filter((entry) => entry.type === "change");
  const byPath = Map.groupBy(changes, ({ path }) => path);
  const done = new Map(
    entries.flatMap((entry) => (entry.type === "done" ? [[entry.id, entry.mode] as const] : [])),
  );
  const files = [...byPath.values()].flatMap((list): readonly PlannedFile[] => {
    const [earliest, latest] = [list[0], list.at(-1)];
    if (earliest === undefined || latest === undefined) return [];
    const { path } = earliest;
    return [
      { path, target: targetOf(earliest, entries), known: knownStates(latest, { entries, done }) },
    ];
  });
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), isComplete };
}

/** The journal is in the order of time, so everything from the first such entry on happened since. */
function sincePoint(to: string): (position: Position) => boolean {
  const number = Number(to.slice(1));
  return to.startsWith("r")
    ? ({ rewinds }) => rewinds >= number
    : ({ message }) => message >= number;
}

function isAfter(to: string, { message, rewinds }: Position): boolean {
  const number = Number(to.slice(1));
  return to.startsWith("r") ? number > rewinds : number > message;
}

/** A point never begins with what an entry of the same point left, unless the journal is damaged. */
function targetOf(
  { path, before, id }: ChangeEntry,
  entries: readonly JournalEntry[],
): PlannedFile["target"] {
  if (before.kind !== "kept") return before;
  const isEarlier = entries.some(
    (entry) => entry.type === "change" && entry.path === path && entry.id < id,
  );
  return { kind: "unsaved", reason: isEarlier ? "limit" : "failed" };
}

interface Ended {
  readonly entries: readonly JournalEntry[];
  /** The changes that ended, with the modes of their files. */
  readonly done: ReadonlyMap<number, number | undefined>;
}

/** A change that never ended was made, or not, or a crash left the file under another name. */
function knownStates(
  { id, path, before, after }: ChangeEntry,
  { entries, done }: Ended,
): readonly KnownState[] {
  if (done.has(id)) return [{ ...after, mode: done.get(id) }];
  const states: readonly KnownState[] = [after, { kind: "absent" }];
  if (before.kind === "file") return [...states, before];
  if (before.kind !== "kept") return states;
  const last = entries.findLast(
    (entry) => entry.type === "change" && entry.path === path && entry.id < id,
  );
  return last?.type === "change" ? [...states, last.after] : states;
}

/** What a rewind does to a file. */
export type FileStep = PlannedFile & {
  /** What is there at the moment. */
  readonly current: FileState;
} & (
    | { readonly step: "none" | "restore" }
    /** The user or another program has changed it since. */
    | { readonly step: "ask" }
    | { readonly step: "blocked"; readonly reason: string }
  );

/** Decides what to do with a file, from what is there now. */
export function decideStep(
  planned: PlannedFile,
  current: FileState,
  { isInWorkspace }: { readonly isInWorkspace: boolean },
): FileStep {
  const { target, known } = planned;
  const step = { ...planned, current };
  const blocked = (reason: string): FileStep => ({ ...step, step: "blocked", reason });
  if (!isInWorkspace) return blocked("it is outside of the workspace");
  if (current.kind === "other") return blocked(`it is ${current.reason}`);
  if (target.kind === "unsaved") return blocked(UNSAVED[target.reason]);
  if (isState(current, target)) return { ...step, step: "none" };
  return { ...step, step: known.some((state) => isState(current, state)) ? "restore" : "ask" };
}

const UNSAVED = {
  "too-large": "it was too large to be saved",
  limit: "there was no room to save it",
  failed: "it could not be saved",
} as const;

function isState(current: FileState, state: KnownState): boolean {
  if (current.kind !== "file" || state.kind !== "file") return current.kind === state.kind;
  const isSameMode = state.mode === undefined || state.mode === current.mode;
  return current.sha256 === state.sha256 && isSameMode;
}
