import { checkArguments } from "../check-arguments.ts";
import { slugKey, type TopicSlug } from "../topics/slug.ts";
import type { Change } from "./change.ts";

/** The ids of undone changes, given all changes from oldest to newest. If the undo was undone, the change counts again. */
export function undoneIds(changes: readonly Change[]): ReadonlySet<string> {
  checkArguments("undoneIds", { changes }, { changes: "list" });
  const undone = new Set<string>();
  // From the newest: an undo counts unless a later one took it back.
  for (const { id, of } of changes.toReversed()) {
    if (of !== undefined && !undone.has(id)) undone.add(of);
  }
  return undone;
}

/**
 * The changes that `undo` steps back through, newest first: those in effect that are not an undo themselves. External
 * changes are undone only by id.
 */
export function undoableChanges(changes: readonly Change[]): readonly Change[] {
  const undone = undoneIds(changes);
  return changes
    .filter(({ id, action, who }) => action !== "undo" && who !== "other" && !undone.has(id))
    .toReversed();
}

/** The text of each topic according to the history; `null` if it was removed. Erased texts are unknown. */
export function lastTexts<Earlier = never>(
  changes: readonly Change[],
  earlier: Iterable<readonly [TopicSlug, Earlier | string | null]> = [],
): ReadonlyMap<TopicSlug, Earlier | string | null> {
  const last = new Map<TopicSlug, Earlier | string | null>(earlier);
  for (const { files } of changes) {
    for (const { slug, before, after } of files) {
      if (before === null && after === null) last.delete(slug);
      else last.set(slug, after);
    }
  }
  return last;
}

/** The changes of a topic under all of its former names. Takes and returns changes from newest to oldest. */
export function changesOfTopic(changes: readonly Change[], slug: TopicSlug): readonly Change[] {
  const keys = new Set([slugKey(slug)]);
  return changes.filter((change) => {
    for (const key of formerKeys(change, keys)) keys.add(key);
    return change.files.some((file) => keys.has(slugKey(file.slug)));
  });
}

/** Removes the texts of a topic, under all of its former names. Other changes are returned as they are. */
export function eraseTexts(changes: readonly Change[], slug: TopicSlug): readonly Change[] {
  const keys = new Set([slugKey(slug)]);
  // From the newest, because a rename reveals the former name.
  const kept = changes.toReversed().map((change) => {
    for (const key of formerKeys(change, keys)) keys.add(key);
    return eraseText(change, keys);
  });
  return kept.toReversed();
}

export interface ErasedVersion {
  readonly slug: TopicSlug;
  /** The change that wrote the text. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Removes the text that one change wrote, there and in the change after it, which has it as the text before. Neither can
 * be undone any more. Takes and returns changes from oldest to newest.
 */
export function eraseVersion(
  changes: readonly Change[],
  { slug, id, at }: ErasedVersion,
): readonly Change[] {
  const key = slugKey(slug);
  const isOf = (change: Change): boolean => change.files.some((file) => slugKey(file.slug) === key);
  const writer = changes.findLastIndex((change) => change.id === id && isOf(change));
  if (writer === -1) return changes;
  const next = changes.findIndex((change, position) => position > writer && isOf(change));
  return changes.map((change, position) => {
    if (position !== writer && position !== next) return change;
    const { index: _, ...rest } = change;
    const files = change.files.map((file) => {
      if (slugKey(file.slug) !== key) return file;
      const after = position === writer ? null : file.after;
      return { slug: file.slug, before: null, after };
    });
    return { ...rest, files, isErased: true, ...(position === writer ? { erasedAt: at } : {}) };
  });
}

function formerKeys({ files }: Change, keys: ReadonlySet<string>): readonly string[] {
  const isArrival = files.some(
    (file) => file.before === null && file.after !== null && keys.has(slugKey(file.slug)),
  );
  return isArrival
    ? files.filter(({ after }) => after === null).map((file) => slugKey(file.slug))
    : [];
}

function eraseText(change: Change, keys: ReadonlySet<string>): Change {
  if (!change.files.some((file) => keys.has(slugKey(file.slug)))) return change;
  const files = change.files.map((file) =>
    keys.has(slugKey(file.slug)) ? { slug: file.slug, before: null, after: null } : file,
  );
  // The index text may repeat what the topic said.
  const { index: _, ...rest } = change;
  return { ...rest, files, isErased: true };
}
