import { command, type CommandMessage, withCommands } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import type { Change, FileChange } from "../../history/change.ts";
import { changesOfTopic, eraseTexts, undoableChanges } from "../../history/undo.ts";
import { newIndex } from "../../index-file/edit-index.ts";
import { removeAddedLines } from "../../index-file/merge-index.ts";
import { assertNoSecrets } from "../../store/secrets.ts";
import type { Author } from "../../store/topic-store.ts";
import { parseTopicSlug } from "../../topics/slug.ts";
import { indexAfter } from "./files/index-from-files.ts";
import { readTopicText } from "./files/topic-files.ts";
import { withoutSecretNames } from "./secret-names.ts";
import type { StoreContext } from "./transaction/store-context.ts";
import { commit, transact, type Transaction } from "./transaction/transaction.ts";

/** The history of the topics, and how to go back. */
export interface TopicHistory {
  /** All changes, newest first; only those of one topic if a name is given. */
  readonly log: (name?: string) => Promise<readonly Change[]>;
  /**
   * Restores the state before a change.
   * @throws MemoryError `NOTHING_TO_UNDO`, `CHANGED_SINCE` or `SECRET_FOUND`
   */
  readonly undo: (input: UndoInput) => Promise<UndoneChange>;
  /**
   * Erases all texts of a topic from the history for good, and every name in the history that contains a secret; returns how
   * many changes had one.
   */
  readonly erase: (name: string) => Promise<number>;
}

export interface UndoInput {
  /** The id of a change, or the start of one. Without it, the last change that was not undone. */
  readonly id?: string | undefined;
  /** Undoes the change even if the topic changed since then. */
  readonly force?: boolean;
  readonly allowSecrets?: boolean;
  readonly author: Author;
}

export interface UndoneChange {
  readonly undone: Change;
  readonly files: readonly FileChange[];
  /** The id of the undo, which can be undone as well. */
  readonly change: string;
}

export async function listChanges(
  { history }: StoreContext,
  name: string | undefined,
): Promise<readonly Change[]> {
  const changes = (await history.read()).toReversed();
  return name === undefined ? changes : changesOfTopic(changes, parseTopicSlug(name));
}

export async function eraseTopic(context: StoreContext, name: string): Promise<number> {
  const slug = parseTopicSlug(name);
  return await transact(context, async () => {
    // Rewrites the files even if nothing is found: a partial line after a crash may contain a text.
    const { before, after } = await context.history.rewrite(
      async (changes) => await withoutSecretNames(eraseTexts(changes, slug), context.findSecrets),
    );
    return after.filter((change, at) => change !== before[at]).length;
  });
}

export async function undoChange(context: StoreContext, input: UndoInput): Promise<UndoneChange> {
  // Fails early, before anything is created on disk.
  changeToUndo(await context.history.read(), input.id);
  return await transact(context, (transaction) => undoLocked(transaction, input));
}

async function undoLocked(
  transaction: Transaction,
  { id, force, allowSecrets, author }: UndoInput,
): Promise<UndoneChange> {
  const { context, directory } = transaction;
  const undone = changeToUndo(await context.history.read(), id);
  const files = await Promise.all(
    undone.files.map(async ({ slug, before, after }) => {
      const now = await readTopicText(directory, slug);
      if (now !== after && force !== true) throw changedSince(slug, undone.id);
      return { slug, before: now, after: before };
    }),
  );
  // In reverse order, so that a new name is gone before the old one returns.
  const restored = files.toReversed();
  const index = indexBefore(undone, transaction, restored);
  if (allowSecrets !== true) {
    const texts = restored.flatMap(({ slug, after }) => (after === null ? [] : [{ slug, after }]));
    // First the names, because the message about a text includes its name.
    const names = texts.map(({ slug }) => slug).join("\n\n");
    await assertNoSecrets({ "name of the topic": names, index: index ?? "" }, context.findSecrets);
    const bodies = texts.map(({ slug, after }) => [`topic ${slug}`, after] as const);
    await assertNoSecrets(Object.fromEntries(bodies), context.findSecrets);
  }
  const { change } = await commit(transaction, {
    action: "undo",
    author,
    files: restored,
    of: undone.id,
    index,
  });
  return { undone, files: restored, change };
}

/** The index before a change that wrote more than lines; if it changed since then, the index without the added lines. */
function indexBefore(
  { index: texts }: Change,
  { rawIndex, index }: Transaction,
  files: readonly FileChange[],
): string | undefined {
  if (texts === undefined) return undefined;
  if (rawIndex === texts.after) return texts.before ?? newIndex();
  return indexAfter(removeAddedLines(index, texts), files);
}

/** A change that cannot be undone is never skipped silently: an older one is undone only by id. */
function changeToUndo(changes: readonly Change[], id: string | undefined): Change {
  const [last, ...older] = undoableChanges(changes);
  const found = id === undefined ? last : findById(changes, id);
  if (found !== undefined && found.isErased !== true) return found;
  const next = older.find(({ isErased }) => isErased !== true);
  const problem = undoProblem(found, id);
  throw new MemoryError(
    "NOTHING_TO_UNDO",
    next === undefined || id !== undefined
      ? problem
      : withCommands`${problem}; to undo the one before, run: ${command(`memory undo ${next.id}`)}`,
  );
}

function undoProblem(found: Change | undefined, id: string | undefined): CommandMessage {
  if (found !== undefined) {
    const what = `${found.action} of ${found.files.map(({ slug }) => slug).join(", ")}`;
    return { message: `cannot undo change ${found.id} (${what}): its texts were erased` };
  }
  return id === undefined
    ? { message: "nothing to undo: the history has no change that is still in effect" }
    : withCommands`no change with the id ${JSON.stringify(id)}; to list all, run: ${command("memory log")}`;
}

function findById(changes: readonly Change[], id: string): Change | undefined {
  const found = changes.filter((change) => change.id.startsWith(id));
  if (found.length > 1 && id !== "") {
    const exact = found.find((change) => change.id === id);
    if (exact !== undefined) return exact;
    throw new MemoryError(
      "NOTHING_TO_UNDO",
      `several changes start with ${JSON.stringify(id)}; use a longer id`,
    );
  }
  return id === "" ? undefined : found[0];
}

function changedSince(slug: string, id: string): MemoryError {
  const message = withCommands`${slug} changed after ${id}. To see what changed, run: ${command(`memory log ${slug}`)}. To undo it anyway, pass --force`;
  return new MemoryError("CHANGED_SINCE", message);
}
