import type { CollectionView } from "./collection-view.ts";
import { knownTime, locate } from "./collection-view.ts";
import { type Lifted, newerFirst } from "./newer-first.ts";
import { createOverlap, findPostings, hasTerm, type TermPostings } from "./postings.ts";
import type { RankedTurns } from "./rank-turns.ts";
import type { SessionLinks } from "./session-links.ts";
import type { Scored } from "./top-list.ts";
import { RECENCY } from "./weights.ts";
import { AMENDS } from "../segment/keys.ts";

export interface TimeInput {
  readonly view: CollectionView;
  readonly postings: readonly TermPostings[];
  /** The number of terms of the query, including those without any document. */
  readonly terms: number;
  /** Later times count as this one: a clock may have been wrong. */
  readonly nowMs: number;
}

/** Ranks topics by score, and newer ones first among those that are about equally good. */
export function preferNewerTopics(hits: readonly Scored[], input: TimeInput): readonly Lifted[] {
  const { view, nowMs } = input;
  const isSameSubject = createSubjectTest(input);
  return newerFirst(hits, {
    timeOf: (document) => timeAt(view, { document, nowMs }),
    isSameSubject: (newer, older) => isSameSubject([newer], [older]),
    minGapMs: () => RECENCY.minGapMs,
    maxLift: () => RECENCY.maxLift.topic,
  });
}

type SessionTimeInput = TimeInput & { readonly links: SessionLinks; readonly ranked: RankedTurns };

/**
 * The same for turns. Their subject is that of the passage around them. Whether turns of two sessions are about equally
 * good is decided by the scores of the sessions, because a turn also counts what is around it: a long conversation about
 * a subject would always win over the one sentence that changes it.
 */
export function preferNewerTurns(input: SessionTimeInput): readonly Lifted[] {
  const { view, nowMs, links, ranked } = input;
  const { sessionOf } = links;
  const scoreOf = new Map(ranked.sessions.map(({ document, score }) => [document, score]));
  const passages = comparePassages(input);
  const isClose = (newer: number, older: number): boolean => {
    const [own = 0, other = 0] = [newer, older].map((turn) => scoreOf.get(sessionOf[turn] ?? 0));
    return other <= own * (1 + passages.maxLift(newer));
  };
  return newerFirst(ranked.turns, {
    timeOf: (document) => timeAt(view, { document, nowMs }),
    isSameSubject: (newer, older) => isClose(newer, older) && passages.isSameSubject(newer, older),
    minGapMs: (one, other) =>
      sessionOf[one] === sessionOf[other] ? RECENCY.minGapInSessionMs : RECENCY.minGapMs,
    maxLift: () => RECENCY.maxLift.turn,
  });
}

/** The same for sessions. Their time and subject are those of their best turn. */
export function preferNewerSessions(input: SessionTimeInput): readonly Lifted[] {
  const { view, nowMs, ranked } = input;
  const passages = comparePassages(input);
  const turnOf = (session: number): number => ranked.bestTurns[session] ?? 0;
  return newerFirst(ranked.sessions, {
    timeOf: (session) => timeAt(view, { document: turnOf(session), nowMs }),
    isSameSubject: (newer, older) => passages.isSameSubject(turnOf(newer), turnOf(older)),
    minGapMs: () => RECENCY.minGapMs,
    maxLift: (session) => passages.maxLift(turnOf(session)),
  });
}

/** Compares the passages around turns. */
function comparePassages(input: SessionTimeInput): {
  readonly isSameSubject: (newer: number, older: number) => boolean;
  /** How much the session of a turn is lifted at most. */
  readonly maxLift: (turn: number) => number;
} {
  const { view, links } = input;
  const isSameSubject = createSubjectTest(input);
  let amends: TermPostings | undefined | null = null;
  const { session, amendingSession } = RECENCY.maxLift;
  return {
    isSameSubject: (newer, older) =>
      isSameSubject(passageAt(links, newer), passageAt(links, older)),
    maxLift: (turn) => {
      if (amends === null) [amends] = findPostings(view, new Map([[AMENDS, 1]]));
      const isAmending = amends !== undefined && hasTerm(amends, passageAt(links, turn));
      return isAmending ? amendingSession : session;
    },
  };
}

function createSubjectTest({
  view,
  postings,
  terms,
}: TimeInput): (newer: readonly number[], older: readonly number[]) => boolean {
  const overlap = createOverlap(postings, { terms, size: view.live });
  return (newer, older) => {
    const { shared, ofQuery } = overlap(newer, older);
    return shared >= RECENCY.sameSubject && ofQuery >= RECENCY.minOfQuery;
  };
}

function timeAt(
  view: CollectionView,
  { document, nowMs }: { readonly document: number; readonly nowMs: number },
): number | undefined {
  const { open, at } = locate(view, document);
  const time = knownTime(open.segment.times[at]);
  return time === undefined ? undefined : Math.min(time, nowMs);
}

/** A turn and its neighbors. */
function passageAt({ previous, next }: SessionLinks, turn: number): readonly number[] {
  return [turn, previous[turn] ?? -1, next[turn] ?? -1].filter((each) => each !== -1);
}
