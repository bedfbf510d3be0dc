import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createFileAtomic,
  hasCode,
  listNames,
  nodeDisk,
  randomHex,
  readTextFile,
  removeIfExists,
  withFileLock,
  withLock,
  writeFileAtomic,
} from "@caliban/common/node";
import { TeamError } from "../../errors.ts";
import { readBrief, type StateBrief, writeBrief } from "./state-brief.ts";
import {
  parseConflict,
  parsePending,
  type PendingChange,
  renderConflict,
  renderPending,
  type StoredConflict,
} from "../../state/pending-change.ts";
import { parseState, renderState, type TeamState } from "../../state/state.ts";

// What is on disk: `state.json`, a file for each change that was not sent, one for each conflict, and the repository.

const MAX_STATE_BYTES = 512 * 1024 * 1024;
const MAX_CHANGE_BYTES = 4 * 1024 * 1024;
const SYNC_LOCK_TIMEOUT_MS = 15 * 60 * 1000;

export interface TeamFiles {
  readonly directory: string;
  readonly repository: string;
  /** `undefined` if there is no team memory here. */
  readonly readState: () => TeamState | undefined;
  /** What a sync without anything new needs of the state, if that is certain. */
  readonly readBrief: () => StateBrief | undefined;
  readonly writeState: (state: TeamState) => Promise<void>;
  readonly listPending: () => readonly PendingChange[];
  /** When the remote was last reached. */
  readonly readSyncTime: () => string | undefined;
  readonly writeSyncTime: (nowMs: number) => Promise<void>;
  /** Returns once the change is on disk. What it starts from is read while no other change is added. */
  readonly addPending: (plan: () => Omit<PendingChange, "id"> | undefined) => Promise<void>;
  readonly removePending: (ids: readonly string[]) => Promise<void>;
  readonly listConflicts: () => readonly StoredConflict[];
  readonly addConflict: (id: string, conflict: Omit<StoredConflict, "id">) => Promise<void>;
  readonly removeConflict: (id: string) => Promise<void>;
  /** Only one process syncs, or decides about waiting changes. */
  readonly lock: <T>(action: () => Promise<T>) => Promise<T>;
  readonly removeAll: () => void;
}

export function createTeamFiles(directory: string): TeamFiles {
  const statePath = join(directory, "state.json");
  const [pending, conflicts] = [join(directory, "pending"), join(directory, "conflicts")];
  const syncTime = join(directory, "synced");
  const listPending = (): readonly PendingChange[] => readAll(pending, parsePending);
  return {
    directory,
    repository: join(directory, "repository.git"),
    readState: () => readState(statePath),
    readBrief: () => readBrief(directory),
    writeState: async (state) => {
      await writeFileAtomic(statePath, renderState(state));
      await writeBrief(directory, state);
    },
    readSyncTime: () => {
      const file = readTextFile(syncTime, 100);
      return file.kind === "text" ? file.text.trim() : undefined;
    },
    writeSyncTime: async (nowMs) => writeSyncTime(syncTime, nowMs),
    listPending,
    addPending: async (plan) => {
      mkdirSync(pending, { recursive: true, mode: 0o700 });
      await withFileLock(join(directory, "pending"), async () => {
        const change = plan();
        if (change === undefined) return;
        const id = nextId(listNames(pending));
        await createFileAtomic(join(pending, `${id}.json`), renderPending(change));
        await nodeDisk.syncDirectory(pending);
      });
    },
    removePending: async (ids) => removeAllOf(pending, ids),
    listConflicts: () => readAll(conflicts, parseConflict),
    addConflict: async (id, conflict) =>
      writeFileAtomic(join(conflicts, `${id}.json`), renderConflict(conflict)),
    removeConflict: async (id) => {
      if (/^[\w-]+$/.test(id)) await removeAllOf(conflicts, [id]);
    },
    lock: async (action) => {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      try {
        const path = join(directory, "sync.lock");
        return await withLock(
          { path, timing: { pollMs: 50, timeoutMs: SYNC_LOCK_TIMEOUT_MS } },
          action,
        );
      } catch (error) {
        if (!hasCode(error, "ELOCKED", "ELOST")) throw error;
        const message = "another process is syncing this team memory; try again later";
        throw new TeamError("BUSY", message, { cause: error });
      }
    },
    removeAll: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function readState(path: string): TeamState | undefined {
  const file = readTextFile(path, MAX_STATE_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  const state = file.kind === "text" ? parseState(file.text) : undefined;
  if (state !== undefined) return state;
  const message = `cannot read ${path}: it is damaged, or a newer version wrote it`;
  throw new TeamError("DAMAGED", message);
}

/** A damaged file never affects the others. */
function readAll<T extends { readonly id: string }>(
  directory: string,
  parse: (id: string, text: string) => T | undefined,
): readonly T[] {
  return listNames(directory)
    .filter((name) => /^[\w-]+\.json$/.test(name))
    .toSorted()
    .flatMap((name) => {
      const file = readTextFile(join(directory, name), MAX_CHANGE_BYTES, { refuseLinks: true });
      if (file.kind !== "text") return [];
      return parse(name.slice(0, -".json".length), file.text) ?? [];
    });
}

const ID_DIGITS = 12;

/** In order, and never used again: a sync that was interrupted may still name an older change. */
function nextId(names: readonly string[]): string {
  const last = names
    .map((name) => Number(/^(\d+)-/.exec(name)?.[1] ?? 0))
    .reduce((a, b) => Math.max(a, b), 0);
  return `${String(last + 1).padStart(ID_DIGITS, "0")}-${randomHex(6)}`;
}

async function removeAllOf(directory: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await removeIfExists(nodeDisk, join(directory, `${id}.json`));
}

/** Not worth a wait for the disk: it is only shown. */
async function writeSyncTime(path: string, nowMs: number): Promise<void> {
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, `${new Date(nowMs).toISOString()}\n`, { mode: 0o600 });
  await nodeDisk.rename(temporary, path);
}
