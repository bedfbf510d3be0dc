import { mergeTopics } from "./merge-topics.ts";

/** The text of a topic; `undefined` where there is none, or no longer one. */
type Text = string | undefined;

export interface ChangeVersions {
  readonly base: Text;
  readonly mine: Text;
  readonly theirs: Text;
}

export type MergedChange =
  | { readonly kind: "merged"; readonly text: Text }
  | { readonly kind: "conflict" };

/** Merges two changes of a topic, each of which may also create or remove it. */
export function mergeChange({ base, mine, theirs }: ChangeVersions): MergedChange {
  if (mine === theirs || theirs === base) return { kind: "merged", text: mine };
  if (mine === base) return { kind: "merged", text: theirs };
  if (mine === undefined || theirs === undefined) return { kind: "conflict" };
  const merged = mergeTopics({ base: base ?? "", mine, theirs });
  if (merged.kind === "conflict" || base === undefined) return { kind: "conflict" };
  return merged;
}
