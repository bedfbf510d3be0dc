import type { CollectionView } from "./collection-view.ts";
import { locate } from "./collection-view.ts";
import { type Lifted, newerFirst } from "./newer-first.ts";
import { createOverlap, type TermPostings } from "./postings.ts";
import type { SessionLinks } from "./session-links.ts";
import type { Scored } from "./top-list.ts";
import { RECENCY } from "./weights.ts";

export interface TimeInput {
  readonly view: CollectionView;
  readonly postings: readonly TermPostings[];
  /** Later times count as this one: a clock may have been wrong. */
  readonly nowMs: number;
}

/** Ranks topics by score, and newer ones first among those that are about equally good. */
export function preferNewerTopics(
  hits: readonly Scored[],
  { view, postings, nowMs }: TimeInput,
): readonly Lifted[] {
  const overlap = createOverlap(postings, view.live);
  return newerFirst(hits, {
    timeOf: (document) => timeAt(view, { document, nowMs }),
    isSameSubject: (newer, older) => overlap([newer], [older]) >= RECENCY.sameSubject,
    minGapMs: () => RECENCY.minGapMs,
    maxLift: RECENCY.maxLift.topic,
  });
}

type SessionTimeInput = TimeInput & { readonly links: SessionLinks };

/** The same for turns. Their subject is that of the passage around them. */
export function preferNewerTurns(
  hits: readonly Scored[],
  { view, postings, nowMs, links }: SessionTimeInput,
): readonly Lifted[] {
  const overlap = createOverlap(postings, view.live);
  const { sessionOf } = links;
  return newerFirst(hits, {
    timeOf: (document) => timeAt(view, { document, nowMs }),
    isSameSubject: (newer, older) =>
      overlap(passageAt(links, newer), passageAt(links, older)) >= RECENCY.sameSubject,
    minGapMs: (one, other) =>
      sessionOf[one] === sessionOf[other] ? RECENCY.minGapInSessionMs : RECENCY.minGapMs,
    maxLift: RECENCY.maxLift.turn,
  });
}

/** The same for sessions. Their time and subject are those of their best turn. */
export function preferNewerSessions(
  hits: readonly Scored[],
  {
    view,
    postings,
    nowMs,
    links,
    bestTurns,
  }: SessionTimeInput & { readonly bestTurns: Uint32Array },
): readonly Lifted[] {
  const overlap = createOverlap(postings, view.live);
  const passageOf = (session: number): readonly number[] =>
    passageAt(links, bestTurns[session] ?? 0);
  return newerFirst(hits, {
    timeOf: (session) => timeAt(view, { document: bestTurns[session] ?? 0, nowMs }),
    isSameSubject: (newer, older) =>
      overlap(passageOf(newer), passageOf(older)) >= RECENCY.sameSubject,
    minGapMs: () => RECENCY.minGapMs,
    maxLift: RECENCY.maxLift.session,
  });
}

function timeAt(
  view: CollectionView,
  { document, nowMs }: { readonly document: number; readonly nowMs: number },
): number | undefined {
  const { open, at } = locate(view, document);
  const time = open.segment.times[at] ?? -Infinity;
  return time === -Infinity ? undefined : Math.min(time, nowMs);
}

/** A turn and its neighbors. */
function passageAt({ previous, next }: SessionLinks, turn: number): readonly number[] {
  return [turn, previous[turn] ?? -1, next[turn] ?? -1].filter((each) => each !== -1);
}
