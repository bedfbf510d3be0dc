/** A change, as far as it matters for whether it is kept. */
export interface RetainedChange {
  /** The topics it changed, by key. */
  readonly topics: readonly string[];
  /** Those of them that had a text before: the change replaced or removed it. */
  readonly replaced: readonly string[];
  /** What it takes to keep it. */
  readonly bytes: number;
}

export interface RetentionLimits {
  /** For all changes together. If what every topic keeps in any case leaves less than a quarter, a quarter is added. */
  readonly maxBytes: number;
  readonly maxChangesPerTopic: number;
}

/**
 * Decides which changes are kept, given all of them from oldest to newest. Every topic keeps its changes back to the last
 * one that replaced or removed a text, whatever happens to other topics. The rest of the room is shared evenly: a topic
 * with many long changes loses its own oldest ones, not those of others. A topic never keeps a change without its later
 * ones, so an undo is kept as long as the change it undid.
 */
export function keptChanges(
  changes: readonly RetainedChange[],
  limits: RetentionLimits,
): ReadonlySet<RetainedChange> {
  const topics = changesByTopic(changes);
  const required = new Set(topics.flatMap(requiredChanges));
  const requiredBytes = sumBytes(required);
  const maxBytes = Math.max(limits.maxBytes, requiredBytes + limits.maxBytes / 4);
  const keptAt = (share: number): ReadonlySet<RetainedChange> =>
    new Set([...required, ...topics.flatMap((topic) => withinShare(topic, share, limits))]);
  const fits = (share: number): boolean => sumBytes(keptAt(share)) <= maxBytes;
  if (fits(Infinity)) return keptAt(Infinity);
  // The largest share that fits, to the byte.
  let [fitting, tooLarge] = [0, Math.ceil(maxBytes) + 1];
  while (tooLarge - fitting > 1) {
    const share = Math.floor((fitting + tooLarge) / 2);
    if (fits(share)) fitting = share;
    else tooLarge = share;
  }
  return keptAt(fitting);
}

/** The changes of one topic, newest first. */
interface TopicChanges {
  readonly key: string;
  readonly changes: readonly RetainedChange[];
}

function changesByTopic(changes: readonly RetainedChange[]): readonly TopicChanges[] {
  const byTopic = new Map<string, RetainedChange[]>();
  for (const change of changes.toReversed()) {
    for (const key of change.topics) {
      const known = byTopic.get(key);
      if (known === undefined) byTopic.set(key, [change]);
      else known.push(change);
    }
  }
  return [...byTopic].map(([key, own]) => ({ key, changes: own }));
}

/** At least the newest one, which says what the topic contains now. */
function requiredChanges({ key, changes }: TopicChanges): readonly RetainedChange[] {
  const last = changes.findIndex(({ replaced }) => replaced.includes(key));
  return changes.slice(0, Math.max(last, 0) + 1);
}

/** The newest changes of a topic that fit into its share. A change of several topics counts in part for each. */
function withinShare(
  { changes }: TopicChanges,
  share: number,
  { maxChangesPerTopic }: RetentionLimits,
): readonly RetainedChange[] {
  let bytes = 0;
  const fitting = changes.findIndex(
    (change) => (bytes += change.bytes / change.topics.length) > share,
  );
  return changes.slice(0, Math.min(fitting === -1 ? Infinity : fitting, maxChangesPerTopic));
}

function sumBytes(changes: Iterable<RetainedChange>): number {
  let sum = 0;
  for (const { bytes } of changes) sum += bytes;
  return sum;
}
