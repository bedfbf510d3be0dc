import { command, type CommandMessage, withCommands } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import { changeKey } from "../../history/archived-change.ts";
import type { Change, FileChange } from "../../history/change.ts";
import { changesOfTopic, eraseTexts, eraseVersion, undoableChanges } from "../../history/undo.ts";
import { newIndex } from "../../index-file/edit-index.ts";
import { indexAfter } from "../../index-file/index-after.ts";
import { removeAddedLines } from "../../index-file/merge-index.ts";
import { parseTopicSlug } from "../../topics/slug.ts";
import { withoutSecretNames } from "../secret-names.ts";
import { assertNoSecrets } from "../secrets.ts";
import type { TopicBackend } from "../topic-backend.ts";
import type { UndoInput, UndoneChange } from "../topic-history.ts";
import { commitChange } from "./commit-change.ts";
import { CONFLICT, type Engine, untilCommitted } from "./engine.ts";
import { type IndexState, readEntries, readIndex, toTopic } from "./read-topics.ts";

const PAGE_SIZE = 2_000;

/** All recorded changes, oldest first. */
export async function readHistory(backend: TopicBackend): Promise<readonly Change[]> {
  const all: Change[] = [];
  let cursor: string | undefined;
  do {
    const page = await backend.history({ cursor, limit: PAGE_SIZE });
    all.push(...page.changes);
    cursor = page.next;
  } while (cursor !== undefined);
  return all.toReversed();
}

export async function listChanges(
  { backend }: Engine,
  name: string | undefined,
): Promise<readonly Change[]> {
  const changes = (await readHistory(backend)).toReversed();
  return name === undefined ? changes : changesOfTopic(changes, parseTopicSlug(name));
}

/** How often changes that were recorded in the meantime are erased as well. */
const MAX_ERASURES = 20;

export async function eraseTopic(
  engine: Engine,
  name: string,
  id: string | undefined,
): Promise<number> {
  const slug = parseTopicSlug(name);
  const erasedAt = new Date(engine.now()).toISOString();
  const erase = (changes: readonly Change[]): readonly Change[] =>
    id === undefined
      ? eraseTexts(changes, slug)
      : eraseVersion(changes, { slug, id, at: erasedAt });
  return await engine.enqueue(async () => {
    const erased = new Set<string>();
    for (let count = 0; count < MAX_ERASURES; count++) {
      const before = await readHistory(engine.backend);
      const after = await withoutSecretNames(erase(before), engine.findSecrets);
      const rewritten = after.filter((change, at) => hasChanged(change, before[at]));
      if (rewritten.length === 0 && count > 0) break;
      // The first time even if nothing is found: the files of a crashed writer may still have a text.
      await engine.backend.commit({ changes: [], rewritten });
      for (const change of rewritten) erased.add(changeKey(change));
    }
    return erased.size;
  });
}

/** Compares the content, because erasing what is erased already makes an equal copy. */
function hasChanged(change: Change, before: Change | undefined): boolean {
  return change !== before && JSON.stringify(change) !== JSON.stringify(before);
}

export async function undoChange(engine: Engine, input: UndoInput): Promise<UndoneChange> {
  return await untilCommitted(engine, () => undo(engine, input));
}

async function undo(
  engine: Engine,
  { id, force, allowSecrets, author }: UndoInput,
): Promise<UndoneChange | typeof CONFLICT> {
  const undone = changeToUndo(await readHistory(engine.backend), id);
  const names = undone.files.map(({ slug }) => slug);
  const entries = await readEntries(engine.backend, names);
  const changes = undone.files.map(({ slug, before, after }) => {
    const current = toTopic(slug, entries.get(slug));
    if ((current?.text ?? null) !== after && force !== true) throw changedSince(slug, undone.id);
    return { slug, current, after: before };
  });
  // In reverse order, so that a new name is gone before the old one returns.
  const restored = changes.toReversed();
  const files = restored.map(({ slug, current, after }) => ({
    slug,
    before: current?.text ?? null,
    after,
  }));
  const index = await readIndex(engine);
  const indexText = indexBefore(undone, index, files);
  if (allowSecrets !== true) await assertNoSecretsRestored(engine, files, indexText);
  const request = { action: "undo", author, files: restored, of: undone.id } as const;
  const committed = await commitChange(engine, { ...request, index, indexText });
  return committed === CONFLICT ? CONFLICT : { undone, files, change: committed.change };
}

async function assertNoSecretsRestored(
  { findSecrets }: Engine,
  files: readonly FileChange[],
  index: string = "",
): Promise<void> {
  const texts = files.flatMap(({ slug, after }) => (after === null ? [] : [{ slug, after }]));
  // First the names, because the message about a text includes its name.
  const names = texts.map(({ slug }) => slug).join("\n\n");
  await assertNoSecrets({ "name of the topic": names, index }, findSecrets);
  const bodies = texts.map(({ slug, after }) => [`topic ${slug}`, after] as const);
  await assertNoSecrets(Object.fromEntries(bodies), findSecrets);
}

/** The index before a change that wrote more than lines; if it changed since then, the index without the added lines. */
function indexBefore(
  { index: texts }: Change,
  { raw, text }: IndexState,
  files: readonly FileChange[],
): string | undefined {
  if (texts === undefined) return undefined;
  if (raw === texts.after) return texts.before ?? newIndex();
  return indexAfter(removeAddedLines(text, texts), files);
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
