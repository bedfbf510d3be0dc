import { terminalSafeLine } from "@caliban/common";
import type { Disk, HeldLock, LockTiming, Machine } from "@caliban/common/node";
import { MemoryError } from "../../../errors.ts";
import type { FileChange } from "../../../history/change.ts";
import { applyChange, type PlanIndex } from "./apply-change.ts";
import { externalChange, type KnownTexts } from "../history/external-changes.ts";
import type { HistoryFile, PendingChange } from "../history/history-file.ts";


export interface StoreAccessInput {
  readonly directory: string;
  readonly disk: Disk;
  readonly machine: Machine;
  readonly history: HistoryFile;
  readonly now: () => number;
  readonly lockTiming: Partial<LockTiming>;
  /** Called once, before the first write. */
  readonly prepare: () => Promise<void>;
}

/** What a store knows of itself from one write to the next. */
export interface StoreState extends StoreAccessInput {
  readonly known: KnownTexts;
  real: string | undefined;
  /** Whether what others left behind was seen to. */
  isTidy: boolean;
  /** How many changes of others were written down. */
  noticed: number;
}

/** A store while its lock is held. */
export interface LockedBench {
  readonly state: StoreState;
  readonly directory: string;
  readonly held: HeldLock;
}

/** Writes the index alone. */
export async function writeIndex(bench: LockedBench, planIndex: PlanIndex): Promise<void> {
  const { state, directory, held } = bench;
  const applied = await applyChange(
    { directory, disk: state.disk, held, open: NO_CHANGE },
    [],
    planIndex,
  );
  if (applied.kind === "changed") throw changedMeanwhile(applied.path);
}

/** The index is made from the topics, so the history needs no record of it. */
export const NO_CHANGE: PendingChange = {
  finish: async () => undefined,
  cancel: async () => undefined,
  abandon: async () => undefined,
};

/** Writes down what somebody else did, before anything of ours comes after it. */
export async function record({ state, held }: LockedBench, file: FileChange): Promise<void> {
  await held.assertHeld();
  await state.history.record(externalChange(file, new Date(state.now()).toISOString()));
  state.noticed++;
}

/** Somebody without a lock came between: the action is done again. */
export function changedMeanwhile(path: string): MemoryError {
  const sentence = `${terminalSafeLine(path)} was changed by another program in the middle of the write, again and again; nothing of it was overwritten, so try again`;
  return new MemoryError("CHANGED_MEANWHILE", sentence);
}
