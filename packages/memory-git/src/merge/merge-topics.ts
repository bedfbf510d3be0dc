import { mergeBodies } from "./merge-bodies.ts";
import { mergeHeaders } from "./merge-headers.ts";
import { splitTopic } from "./split-topic.ts";

/** Three versions of the file of a topic. */
export interface TopicVersions {
  /** What both sides started from; empty if both created the topic. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export type MergedTopic =
  | { readonly kind: "merged"; readonly text: string }
  /** The keys of the header that contradict each other, and `body`. */
  | { readonly kind: "conflict"; readonly parts: readonly string[] };

/**
 * Merges the header by key and the body by paragraph. Never writes conflict markers: what contradicts each other is a
 * conflict of the whole topic. Without a conflict, it does not matter which side is `mine`.
 *
 * @example
 * import { mergeTopics } from "@caliban/memory-git";
 *
 * const base = "Migrations first.\n\nThen deploy.\n";
 * const mine = "Migrations first.\n\nThen deploy with pnpm ship.\n";
 * const theirs = "Read the runbook.\n\nMigrations first.\n\nThen deploy.\n";
 * const merged = mergeTopics({ base, mine, theirs });
 * console.log(merged.kind === "merged" && merged.text.split("\n\n").length); // 3
 */
export function mergeTopics({ base, mine, theirs }: TopicVersions): MergedTopic {
  if (mine === theirs || theirs === base) return { kind: "merged", text: mine };
  if (mine === base) return { kind: "merged", text: theirs };
  const [o, a, b] = [splitTopic(base), splitTopic(mine), splitTopic(theirs)];
  const header = mergeHeaders({ base: o.header, mine: a.header, theirs: b.header });
  const body = mergeBodies({ base: o.body, mine: a.body, theirs: b.body });
  if (header.kind === "merged" && body !== undefined) {
    return { kind: "merged", text: header.text + body };
  }
  const keys = header.kind === "conflict" ? header.keys : [];
  return { kind: "conflict", parts: [...keys, ...(body === undefined ? ["body"] : [])] };
}
