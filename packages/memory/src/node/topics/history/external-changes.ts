import { MemoryError } from "../../../errors.ts";
import { type Change, type FileChange, lastTexts } from "../../../history/change.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import { readTopicFile } from "../files/topic-files.ts";
import type { HistoryFile, HistoryReading } from "./history-file.ts";

/** More topics than this are not read one by one for what others may have done to them. */
const MOST_LOOKED_AT = 2_000;

/** The topics that are not as the history says, because somebody changed them without us. */
export async function findExternalChanges(
  directory: string,
  known: ReadonlyMap<TopicSlug, string | null>,
): Promise<readonly FileChange[]> {
  if (known.size > MOST_LOOKED_AT) return [];
  const changes: FileChange[] = [];
  for (const [slug, before] of known) {
    // oxlint-disable-next-line no-await-in-loop -- it does not really wait
    const after = await textIfUsable(directory, slug);
    if (after !== undefined && after !== before) changes.push({ slug, before, after });
  }
  return changes;
}

/** What somebody else did, as the history keeps it: each topic by itself, so that each can be undone by itself. */
export function externalChange(file: FileChange, at: string): Change {
  const action = file.after === null ? "remove" : file.before === null ? "write" : "edit";
  return { id: newChangeId(), at, who: "other", action, files: [file] };
}

export function newChangeId(): string {
  return crypto.randomUUID().slice(0, 8);
}

/** `null` when there is no such file, `undefined` when it cannot be told what it holds. */
async function textIfUsable(
  directory: string,
  slug: TopicSlug,
): Promise<string | null | undefined> {
  try {
    return (await readTopicFile(directory, slug))?.text ?? null;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
    return undefined;
  }
}

/** What the history says is in each topic. It is read once, and then only what was added. */
export interface KnownTexts {
  readonly read: () => Promise<ReadonlyMap<TopicSlug, string | null>>;
}

export function createKnownTexts(history: HistoryFile): KnownTexts {
  let last: HistoryReading | undefined;
  let known: ReadonlyMap<TopicSlug, string | null> = new Map();
  return {
    read: async () => {
      const reading = await history.readSince(last);
      if (reading.isWhole) known = lastTexts(reading.changes);
      else if (reading.changes.length > 0) known = lastTexts(reading.changes, known);
      // The texts are in the map; the changes need not be kept.
      last = { ...reading, changes: [] };
      return known;
    },
  };
}
