import { MemoryError } from "../../errors.ts";
import {
  type Change,
  changesOfTopic,
  type FileChange,
  undoableChanges,
  eraseTexts,
} from "../../history/change.ts";
import { newIndex } from "../../index-file/edit-index.ts";
import { removeAddedLines } from "../../index-file/merge-index.ts";
import { type FindSecrets, assertNoSecrets } from "../../store/secrets.ts";
import { parseTopicSlug } from "../../topics/slug.ts";
import type { Author } from "../../store/topic-store.ts";
import type { HistoryFile } from "./history/history-file.ts";
import { indexAfter } from "./files/index-from-files.ts";
import type { LockedStore, StoreAccess } from "./transaction/transaction.ts";
import { readTopicFile } from "./files/topic-files.ts";

/** What happened to the topics, and the way back. */
export interface TopicHistory {
  /** Newest first; of one topic when it is named. */
  readonly log: (name?: string) => Promise<readonly Change[]>;
  /**
   * Puts back what was there before a change.
   * @throws MemoryError `NOTHING_TO_UNDO`, `CHANGED_SINCE` or `SECRET_FOUND`
   */
  readonly undo: (input: UndoInput) => Promise<UndoneChange>;
  /** Takes every text of a topic out of the history, for good. */
  readonly erase: (name: string) => Promise<number>;
}

export interface UndoInput {
  /** The id of a change, or the beginning of one. Without it, the last that was not undone. */
  readonly id?: string | undefined;
  /** Also when the topic changed since. */
  readonly force?: boolean;
  readonly allowSecrets?: boolean;
  readonly author: Author;
}

export interface UndoneChange {
  readonly undone: Change;
  readonly files: readonly FileChange[];
  /** The id of the undoing, which can be undone as well. */
  readonly change: string;
}

interface HistoryOfStore {
  readonly access: StoreAccess;
  readonly history: HistoryFile;
  readonly findSecrets: FindSecrets;
}

export function createTopicHistory(store: HistoryOfStore): TopicHistory {
  return {
    log: async (name) => {
      const changes = (await store.history.read()).toReversed();
      if (name === undefined) return changes;
      return changesOfTopic(changes, parseTopicSlug(name));
    },
    undo: async (input) => {
      // Looked for before anything is made on disk.
      changeToUndo(await store.history.read(), input.id);
      return await store.access.write((locked) => undo(store, locked, input));
    },
    erase: async (name) => {
      const slug = parseTopicSlug(name);
      return await store.access.write(async () => {
        const changes = await store.history.read();
        const kept = eraseTexts(changes, slug);
        // Also when nothing is found: half a line that a crash left may have it.
        await store.history.rewrite(kept);
        return kept.filter((change, at) => change !== changes[at]).length;
      });
    },
  };
}

async function undo(
  { history, findSecrets }: HistoryOfStore,
  { directory, rawIndex, index, commit }: LockedStore,
  { id, force, allowSecrets, author }: UndoInput,
): Promise<UndoneChange> {
  const undone = changeToUndo(await history.read(), id);
  const files = await Promise.all(
    undone.files.map(async ({ slug, before, after }) => {
      const now = (await readTopicFile(directory, slug))?.text ?? null;
      if (now !== after && force !== true) throw changedSince(slug, undone.id);
      return { slug, before: now, after: before };
    }),
  );
  // The last first, so that a new name is gone before the old one is back.
  const back = files.toReversed();
  const restored = back.flatMap(({ slug, after }) =>
    after === null ? [] : [[`topic ${slug}`, after] as const],
  );
  if (allowSecrets !== true) await assertNoSecrets(Object.fromEntries(restored), findSecrets);
  const { change } = await commit({
    action: "undo",
    author,
    files: back,
    of: undone.id,
    index: indexBefore(undone, { rawIndex, index, files: back }),
  });
  return { undone, files: back, change };
}

/** What the index was before a change that put more into it than lines; where it changed since, without those. */
function indexBefore(
  { index: texts }: Change,
  now: {
    readonly rawIndex: string | null;
    readonly index: string;
    readonly files: readonly FileChange[];
  },
): string | undefined {
  if (texts === undefined) return undefined;
  if (now.rawIndex === texts.after) return texts.before ?? newIndex();
  return indexAfter(removeAddedLines(now.index, texts), now.files);
}

/** What cannot be undone is not passed over in silence: an older change is undone only when it is named. */
function changeToUndo(changes: readonly Change[], id: string | undefined): Change {
  const [last, ...older] = undoableChanges(changes);
  const found = id === undefined ? last : withId(changes, id);
  if (found !== undefined && found.isErased !== true) return found;
  const next = older.find(({ isErased }) => isErased !== true);
  const hint =
    next === undefined ? "" : `; \`caliban memory undo ${next.id}\` undoes the one before`;
  throw new MemoryError(
    "NOTHING_TO_UNDO",
    `${noUndoReason(found, id)}${id === undefined ? hint : ""}`,
  );
}

function noUndoReason(found: Change | undefined, id: string | undefined): string {
  if (found !== undefined) {
    const what = `${found.action} of ${found.files.map(({ slug }) => slug).join(", ")}`;
    return `the texts of change ${found.id} (${what}) were erased for good, so it cannot be undone`;
  }
  return id === undefined
    ? "no change is left in the history that could be undone"
    : `no change has the id ${JSON.stringify(id)}; \`caliban memory log\` lists them`;
}

function withId(changes: readonly Change[], id: string): Change | undefined {
  const found = changes.filter((change) => change.id.startsWith(id));
  if (found.length > 1 && id !== "") {
    const exact = found.find((change) => change.id === id);
    if (exact !== undefined) return exact;
    throw new MemoryError(
      "NOTHING_TO_UNDO",
      `several changes begin with ${JSON.stringify(id)}; give more of the id`,
    );
  }
  return id === "" ? undefined : found[0];
}

function changedSince(slug: string, id: string): MemoryError {
  const sentence = `${slug} changed after ${id}; look at \`caliban memory log ${slug}\`, or undo with --force, which is recorded, too`;
  return new MemoryError("CHANGED_SINCE", sentence);
}
