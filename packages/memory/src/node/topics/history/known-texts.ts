import { lastTexts } from "../../../history/change.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import type { HistoryLog, HistoryReading } from "./history-file.ts";

/** What the history says is in each topic. It is read once, and then only what was added. */
export interface KnownTexts {
  readonly read: () => Promise<ReadonlyMap<TopicSlug, string | null>>;
}

export function createKnownTexts(history: HistoryLog): KnownTexts {
  let last: HistoryReading | undefined;
  let known: ReadonlyMap<TopicSlug, string | null> = new Map();
  return {
    read: async () => {
      const reading = await history.readOn(last);
      if (reading.isWhole) known = lastTexts(reading.changes);
      else if (reading.changes.length > 0) known = lastTexts(reading.changes, known);
      // The texts are in the map; the changes need not be kept.
      last = { ...reading, changes: [] };
      return known;
    },
  };
}
