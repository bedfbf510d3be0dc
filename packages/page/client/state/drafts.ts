import { currentRoute } from "./route.ts";

/** A text that is being edited, and the version that the edit started from. */
export interface Draft {
  readonly text: string;
  readonly base: string;
}

/** Texts that were neither saved nor canceled, of all kinds. */
const kinds: ReadonlyMap<string, unknown>[] = [];

/** Keeps texts of one kind by key, until the tab is closed. */
export function createDrafts<Kept>(): Map<string, Kept> {
  const drafts = new Map<string, Kept>();
  kinds.push(drafts);
  return drafts;
}

const drafts = createDrafts<Draft>();

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
    if (kinds.some(({ size }) => size > 0)) event.preventDefault();
  });
}
