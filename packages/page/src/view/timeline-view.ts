import { type Change, undoneIds } from "@caliban/memory";
import type { PageScope } from "../data.ts";
import { diffRows, type DiffRow } from "./diff-view.ts";

/** A line of the timeline. */
export interface TimelineRow {
  /** `learned`: a generation of learned memory. */
  readonly scope: PageScope | "learned";
  readonly id: string;
  readonly at: string;
  readonly author: string;
  readonly session: string | undefined;
  readonly origin: string | undefined;
  readonly action: string;
  readonly slugs: readonly string[];
  /** The change that it undid. */
  readonly of: string | undefined;
  readonly isUndone: boolean;
  readonly isErased: boolean;
  readonly canUndo: boolean;
}

const AUTHORS: Readonly<Record<Change["who"], string>> = {
  agent: "agent",
  person: "you",
  other: "external",
};

/** The rows of the changes of one scope, which are newest first. */
export function timelineRows(scope: PageScope, changes: readonly Change[]): readonly TimelineRow[] {
  const undone = undoneIds(changes.toReversed());
  return changes.map(
    ({ id, at, who, agent, session, origin, action, files, of, isErased = false }) => ({
      scope,
      id,
      at,
      author: agent ?? AUTHORS[who],
      session,
      origin,
      action,
      slugs: files.map(({ slug }) => slug),
      of,
      isUndone: undone.has(id),
      isErased,
      canUndo: !undone.has(id) && !isErased,
    }),
  );
}

/** What one change did to each file. */
export interface ChangeView {
  readonly row: TimelineRow;
  readonly files: readonly { readonly slug: string; readonly diff: readonly DiffRow[] }[];
}

/** `undefined` if there is no such change. */
export function changeView(
  scope: PageScope,
  changes: readonly Change[],
  id: string,
): ChangeView | undefined {
  const change = changes.find((each) => each.id === id);
  const row = timelineRows(scope, changes).find((each) => each.id === id);
  if (change === undefined || row === undefined) return undefined;
  const files = change.files.map(({ slug, before, after }) => ({
    slug,
    diff: diffRows(before, after),
  }));
  return { row, files };
}
