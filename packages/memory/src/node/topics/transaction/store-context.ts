import { createQueue, type Queue } from "@caliban/common";
import {
  type Disk,
  type HeldLock,
  type LockTiming,
  type Machine,
  nodeDisk,
  realPathIfExists,
  thisMachine,
} from "@caliban/common/node";
import type { FileChange } from "../../../history/change.ts";
import type { FindSecrets } from "../../../store/secrets.ts";
import { findSecretsLazily } from "../../find-secrets.ts";
import { createKnownIndex, type KnownIndex } from "../files/known-index.ts";
import { createTopicListing, type TopicListing } from "../files/listing.ts";
import { refusedFileError } from "../files/topic-files.ts";
import type { FsTopicStoreInput } from "../fs-topic-store.ts";
import { createKnownTexts, externalChange, type KnownTexts } from "../history/external-changes.ts";
import { createHistoryFile, type HistoryFile } from "../history/history-file.ts";
import { defaultHistoryDirectory, historyPath } from "../history/history-tail.ts";
import { createReplacedFiles, type ReplacedFiles } from "./replaced-files.ts";

/** An open store: what it works with, and what it remembers from one write to the next. */
export interface StoreContext {
  readonly directory: string;
  readonly disk: Disk;
  readonly machine: Machine;
  readonly history: HistoryFile;
  readonly listing: TopicListing;
  readonly index: KnownIndex;
  readonly findSecrets: FindSecrets;
  readonly now: () => number;
  readonly lockTiming: Partial<LockTiming>;
  /** Called once, before the first write. */
  readonly prepare: () => Promise<void>;
  readonly known: KnownTexts;
  /** How long a text that another program saved must be unchanged before it is replaced. */
  readonly saveMs: number;
  readonly replaced: ReplacedFiles;
  /** Orders the writes of this process; the lock orders those of all processes. */
  readonly enqueue: Queue;
  /** Whether a check for late texts is scheduled. */
  isChecking: boolean;
  realDirectory: string | undefined;
  /** Whether the directory was checked for traces of crashed writers and for external changes. */
  isClean: boolean;
  /** How many external changes were recorded so far. */
  externalChanges: number;
}

/** Longer than any program takes to save a small file, and too short for a user to notice. */
const SAVE_MS = 250;

export function createStoreContext(input: FsTopicStoreInput): StoreContext {
  const { directory, disk = nodeDisk, saveMs = SAVE_MS } = input;
  const historyDirectory = input.historyDirectory ?? defaultHistoryDirectory(directory);
  const history = createHistoryFile(historyPath(historyDirectory), disk);
  return {
    directory,
    disk,
    machine: thisMachine(),
    history,
    listing: createTopicListing(),
    index: createKnownIndex(),
    findSecrets: input.findSecrets ?? findSecretsLazily,
    now: input.now ?? Date.now,
    lockTiming: input.lockTiming ?? {},
    prepare: input.prepare ?? (async () => undefined),
    known: createKnownTexts(history),
    saveMs,
    replaced: createReplacedFiles(saveMs),
    enqueue: createQueue(),
    isChecking: false,
    realDirectory: undefined,
    isClean: false,
    externalChanges: 0,
  };
}

/**
 * The real path of the directory; `undefined` if it does not exist yet. The directory may be a link that the user chose,
 * but no one chose a link that points elsewhere in the middle of a session.
 */
export function openDirectory(context: StoreContext): string | undefined {
  const real = realPathIfExists(context.directory);
  if (real === undefined) return undefined;
  if (context.realDirectory !== undefined && context.realDirectory !== real) {
    const reason = `it was ${context.realDirectory} before and now points elsewhere`;
    throw refusedFileError(context.directory, reason);
  }
  context.realDirectory = real;
  return real;
}

/** A store whose lock is held. */
export interface LockedStore {
  readonly context: StoreContext;
  /** The real path. */
  readonly directory: string;
  readonly lock: HeldLock;
}

/** Records what another program did, before our own change follows it in the history. */
export async function recordExternalChange(
  { context, lock }: LockedStore,
  file: FileChange,
): Promise<void> {
  await lock.assertHeld();
  await context.history.record(externalChange(file, new Date(context.now()).toISOString()));
  context.externalChanges++;
}
