import { currentRoute } from "./route.ts";

/** A text that is being edited, and the version that the edit started from. */
export interface Draft {
  readonly text: string;
  readonly base: string;
}

const drafts = new Map<string, Draft>();

/** The edit of a topic that was neither saved nor canceled, wherever the user went since. */
export function draftOf(scope: string, slug: string): Draft | undefined {
  return drafts.get(keyOf(scope, slug));
}

/** Keeps an edit; without a draft, forgets it. */
export function keepDraft(scope: string, slug: string, draft?: Draft): void {
  if (draft === undefined) drafts.delete(keyOf(scope, slug));
  else drafts.set(keyOf(scope, slug), draft);
}

function keyOf(scope: string, slug: string): string {
  return `${currentRoute.value.project}/${scope}/${slug}`;
}

/** Lets the browser ask before the tab is closed with an edit in it. */
export function warnBeforeLeaving(): void {
  addEventListener("beforeunload", (event) => {
    if (drafts.size > 0) event.preventDefault();
  });
}
