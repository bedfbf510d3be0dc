import { join } from "node:path";
import { type Disk, errorCode, lstatIfExists } from "@caliban/common/node";
import { parseSessionId } from "@caliban/sessions";
import type { SessionLog } from "@caliban/sessions/node";
import { type FileChange, readFileState } from "@caliban/tools-builtin/node";
import { type Limits, LIMITS, sizeOf } from "./checkpoint-directory.ts";
import type { JournalEntry, Position, SavedState } from "./journal.ts";
import { makeRoom } from "./make-room.ts";
import { recordChange } from "./record-change.ts";
import { openSessionStore, type SessionStore } from "./session-store.ts";

/** Saves files before tools change them. */
export interface Checkpoints {
  /** For the workspace of the tools. Never fails: what cannot be saved is reported. */
  readonly onChange: (change: FileChange) => Promise<(() => Promise<void>) | void>;
  /** The store of the running session; `undefined` if nothing is saved for it. */
  readonly open: () => OpenCheckpoints | undefined;
}

export interface OpenCheckpoints {
  readonly store: SessionStore;
  readonly position: () => Position;
  /** The number of the next entry. */
  readonly nextId: () => number;
  /** Saves what is at a path, for an entry. */
  readonly saveFile: (path: string) => Promise<SavedState>;
}

export interface CheckpointsInput {
  /** Nothing is saved without it. */
  readonly directory: string | undefined;
  /** The log of the running session. */
  readonly log: () => SessionLog | undefined;
  readonly notify: (message: string) => void;
  readonly now: () => number;
  readonly limits?: Limits | undefined;
  readonly disk?: Disk | undefined;
}

/** Tools whose changes are saved. Earlier versions of the program did not. */
const TOOLS: ReadonlySet<string> = new Set(["Write", "Edit"]);

/** Creates the checkpoints of a conversation. Nothing is read or written before the first change. */
export function createCheckpoints(input: CheckpointsInput): Checkpoints {
  let current: (OpenCheckpoints & { readonly sessionId: string }) | undefined;
  const open = (): OpenCheckpoints | undefined => {
    const log = input.log();
    if (input.directory === undefined || log?.isStored !== true) return undefined;
    if (current?.sessionId === log.id) return current;
    current = { ...openFor(input, input.directory, log), sessionId: log.id };
    return current;
  };
  let hasRoom = false;
  const reported = new Set<string>();
  const report = (key: string, message: string): void => {
    if (!reported.has(key)) input.notify(message);
    reported.add(key);
  };
  return {
    open,
    onChange: async (change) => {
      const opened = open();
      if (opened === undefined) return undefined;
      const { now, limits = LIMITS } = input;
      const onChanged = await recordChange(opened, change, { now, limits, report });
      if (!hasRoom) makeRoom({ ...input, limits, keep: input.log()?.id });
      hasRoom = true;
      return onChanged;
    },
  };
}

function openFor(input: CheckpointsInput, directory: string, log: SessionLog): OpenCheckpoints {
  const { limits = LIMITS } = input;
  const id = parseSessionId(log.id);
  const store = openSessionStore(join(directory, id), input.disk);
  const isNew = store.entries().length === 0;
  const storedBytes = sizeOf(directory, id).bytes;
  const position = (): Position => {
    const { userMessages, rewinds } = log.timeline().position();
    return { message: userMessages, rewinds: Math.max(rewinds, lastRewind(store.entries())) };
  };
  if (isNew) {
    // What was changed before there were checkpoints is not known.
    const message = log.timeline().lastUseOf(TOOLS);
    const start: JournalEntry = { type: "start", after: { message, rewinds: position().rewinds } };
    store.begin(start);
  }
  return {
    store,
    position,
    nextId: () => store.entries().reduce((last, entry) => Math.max(last, idOf(entry)), 0) + 1,
    saveFile: async (path) => {
      const size = lstatIfExists(path)?.size ?? 0;
      if (size > limits.fileBytes) return { kind: "unsaved", reason: "too-large" };
      if (storedBytes + store.addedBytes() + size > limits.sessionBytes)
        return { kind: "unsaved", reason: "limit" };
      return await saveFile(path, store);
    },
  };
}

function idOf(entry: JournalEntry): number {
  return entry.type === "change" ? entry.id : 0;
}

function lastRewind(entries: readonly JournalEntry[]): number {
  const numbers = entries.map((entry) => {
    if (entry.type === "change") return entry.rewinds;
    return entry.type === "rewind" ? entry.id : 0;
  });
  return numbers.reduce((last, number) => Math.max(last, number), 0);
}

async function saveFile(path: string, store: SessionStore): Promise<SavedState> {
  const chunks: Uint8Array[] = [];
  const state = await readFileState(path, (chunk) => void chunks.push(Buffer.from(chunk)));
  if (state.kind === "absent") return { kind: "absent" };
  if (state.kind === "other") return { kind: "unsaved", reason: "failed" };
  try {
    await store.save({ sha256: state.sha256, bytes: Buffer.concat(chunks) });
    return state;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return { kind: "unsaved", reason: "failed" };
  }
}
