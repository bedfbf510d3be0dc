import { slugKey } from "@caliban/memory";
import type { TopicLinks } from "../data.ts";

/** A topic next to the one in the center. */
export interface LinkedTopic {
  readonly slug: string;
  /** `both`: each links to the other. `newer` and `older`: one supersedes the other. */
  readonly relation: "from" | "to" | "both" | "newer" | "older";
  /** Whether there is such a topic. */
  readonly exists: boolean;
}

/** What is around one topic. */
export interface LinkGraph {
  /** Topics that link to the one in the center, or supersede it. */
  readonly before: readonly LinkedTopic[];
  /** Topics that it links to, or supersedes. */
  readonly after: readonly LinkedTopic[];
  /** How many there are besides those that are shown. */
  readonly hidden: { readonly before: number; readonly after: number };
}

/** With the one in the center. A larger graph shows nothing. */
export const MAX_NODES = 30;

/** The neighbors of a topic: those that it names on one side, those that name it on the other. */
export function linkGraph(center: string, topics: ReadonlyMap<string, TopicLinks>): LinkGraph {
  const names = new Map([...topics.keys()].map((slug) => [slugKey(slug), slug]));
  const key = slugKey(center);
  const own = topics.get(names.get(key) ?? center) ?? { links: [], supersedes: [] };
  const naming = [...topics].flatMap(([slug, named]): readonly Neighbor[] => {
    const relation = slugKey(slug) === key ? undefined : relationTo(key, named);
    return relation === undefined ? [] : [{ slug, relation }];
  });
  const backKeys = new Set(naming.map(({ slug }) => slugKey(slug)));
  const older = own.supersedes.map((slug): Neighbor => ({ slug, relation: "older" }));
  const linked = own.links.map((slug): Neighbor => ({
    slug,
    relation: backKeys.has(slugKey(slug)) ? "both" : "to",
  }));
  const after = uniqueBySlug([...older, ...linked]).filter(({ slug }) => slugKey(slug) !== key);
  const afterKeys = new Set(after.map(({ slug }) => slugKey(slug)));
  const before = naming.filter(({ slug }) => !afterKeys.has(slugKey(slug)));
  const shares = shareNodes(before.length, after.length);
  const toLinked = ({ slug, relation }: Neighbor): LinkedTopic => {
    const stored = names.get(slugKey(slug));
    return { slug: stored ?? slug, relation, exists: stored !== undefined };
  };
  return {
    before: before.slice(0, shares.before).map(toLinked),
    after: after.slice(0, shares.after).map(toLinked),
    hidden: { before: before.length - shares.before, after: after.length - shares.after },
  };
}

type Neighbor = Pick<LinkedTopic, "slug" | "relation">;

function relationTo(key: string, { links, supersedes }: TopicLinks): "from" | "newer" | undefined {
  const isNamed = (slugs: readonly string[]): boolean =>
    slugs.some((slug) => slugKey(slug) === key);
  if (isNamed(supersedes)) return "newer";
  return isNamed(links) ? "from" : undefined;
}

/** The first of each name. */
function uniqueBySlug(neighbors: readonly Neighbor[]): readonly Neighbor[] {
  const byKey = Map.groupBy(neighbors, ({ slug }) => slugKey(slug));
  return [...byKey.values()].flatMap(([first]) => first ?? []);
}

/** Half of the nodes for each side; what one does not need, the other may use. */
function shareNodes(before: number, after: number): LinkGraph["hidden"] {
  const free = MAX_NODES - 1;
  const least = Math.floor(free / 2);
  const shownBefore = Math.min(before, Math.max(least, free - after));
  return { before: shownBefore, after: Math.min(after, free - shownBefore) };
}
