import { slugKey } from "../../topics/slug.ts";
import type { StoredTopic } from "../topic-store.ts";

/** What is wrong with the list of topics that a topic replaces. */
export type SupersedesProblem =
  | { readonly kind: "dangling"; readonly topic: StoredTopic; readonly name: string }
  | {
      readonly kind: "circular";
      readonly topic: StoredTopic;
      /** Starts and ends with the same name. */
      readonly circle: readonly string[];
    };

/** Names that no topic has, and topics that replace themselves through others. Each circle is reported once. */
export function findSupersedesProblems(
  topics: readonly StoredTopic[],
): readonly SupersedesProblem[] {
  const byKey = new Map(topics.map((topic) => [slugKey(topic.slug), topic]));
  const inCircle = new Set<StoredTopic>();
  return topics.flatMap((topic): readonly SupersedesProblem[] => {
    const dangling = (topic.topic.supersedes ?? [])
      .filter((name) => !byKey.has(slugKey(name)))
      .map((name) => ({ kind: "dangling", topic, name }) as const);
    const circle = inCircle.has(topic) ? undefined : findCircle(topic, byKey);
    for (const each of circle ?? []) inCircle.add(each);
    if (circle === undefined) return dangling;
    const names = [...circle, topic].map(({ slug }) => slug);
    return [...dangling, { kind: "circular", topic, circle: names }];
  });
}

/** The topics from one back to itself, nearest first. Without recursion, because a chain may be long. */
function findCircle(
  start: StoredTopic,
  byKey: ReadonlyMap<string, StoredTopic>,
): readonly StoredTopic[] | undefined {
  const cameFrom = new Map<StoredTopic, StoredTopic | undefined>([[start, undefined]]);
  const queue = [start];
  for (const current of queue) {
    for (const name of current.topic.supersedes ?? []) {
      const next = byKey.get(slugKey(name));
      if (next === start) return pathTo(current, cameFrom);
      if (next === undefined || cameFrom.has(next)) continue;
      cameFrom.set(next, current);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo(
  end: StoredTopic,
  cameFrom: ReadonlyMap<StoredTopic, StoredTopic | undefined>,
): readonly StoredTopic[] {
  const path: StoredTopic[] = [];
  for (let at: StoredTopic | undefined = end; at !== undefined; at = cameFrom.get(at))
    path.unshift(at);
  return path;
}
