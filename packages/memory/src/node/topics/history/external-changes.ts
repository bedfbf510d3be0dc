import type { ArchivedText } from "../../../history/archived-change.ts";
import type { Change, FileChange } from "../../../history/change.ts";
import { newChangeId } from "../../../history/change.ts";
import { lastTexts } from "../../../history/undo.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import { sha256Hex } from "../../sha256-hex.ts";
import { readTopicFile } from "../files/topic-files.ts";
import type { HistoryFile, HistoryReading } from "./history-file.ts";

/** The text of a topic according to the history; `null` if it was removed. */
export type KnownText = string | null | ArchivedText;

/** The text of each topic according to the history. The history is read once, then only what was appended. */
export interface KnownTexts {
  readonly read: () => Promise<ReadonlyMap<TopicSlug, KnownText>>;
}

export function createKnownTexts(history: HistoryFile): KnownTexts {
  let last: HistoryReading | undefined;
  let known: ReadonlyMap<TopicSlug, KnownText> = new Map();
  return {
    read: async () => {
      const reading = await history.readSince(last);
      if (reading.isWhole) known = lastTexts(reading.changes, history.archivedTexts());
      else if (reading.changes.length > 0) known = lastTexts(reading.changes, known);
      // The texts are in the map; the changes need not be kept.
      last = { ...reading, changes: [] };
      return known;
    },
  };
}

/** More topics than this are not read one by one to find external changes. */
const MAX_CHECKED_TOPICS = 2_000;

/** The topics that differ from the history, because another program changed them. Unreadable ones are skipped. */
export async function findExternalChanges(
  directory: string,
  known: ReadonlyMap<TopicSlug, KnownText>,
): Promise<readonly FileChange[]> {
  if (known.size > MAX_CHECKED_TOPICS) return [];
  const changes: FileChange[] = [];
  for (const [slug, before] of known) {
    const file = await readTopicFile(directory, slug);
    if (file.kind === "refused") continue;
    const after = file.kind === "text" ? file.text : null;
    changes.push(...(await differenceFrom(before, { slug, after })));
  }
  return changes;
}

/** What another program did to a topic since the history was written; nothing if the text is the known one. */
export async function differenceFrom(
  known: KnownText | undefined,
  { slug, after }: Pick<FileChange, "slug" | "after">,
): Promise<readonly FileChange[]> {
  if (known === undefined || known === after) return [];
  if (known === null || typeof known === "string") return [{ slug, before: known, after }];
  if (after !== null && known.sha256 === sha256Hex(after)) return [];
  const before = await known.read();
  return before === undefined ? [] : [{ slug, before, after }];
}

/** The history entry for an external change: one per topic, so that each can be undone separately. */
export function externalChange(file: FileChange, at: string): Change {
  const action = file.after === null ? "remove" : file.before === null ? "write" : "edit";
  return { id: newChangeId(), at, who: "other", action, files: [file] };
}
