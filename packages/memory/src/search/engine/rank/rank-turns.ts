import { addScores, clearScores, type RankInput } from "./rank-documents.ts";
import { createTopList, type Scored } from "./top-list.ts";
import type { CollectionView } from "./collection-view.ts";
import { rarity, type TermPostings } from "./postings.ts";
import type { SessionLinks } from "./session-links.ts";
import { BEST_TURN, EVIDENCE, MAX_WIDE_MATCHES, SATURATION } from "./weights.ts";
import { DECODED_COUNTS } from "../segment/segment.ts";

export interface RankedTurns {
  readonly turns: readonly Scored[];
  /** `document` is the number of a session here. */
  readonly sessions: readonly Scored[];
  /** The best turn of each session, by its number. */
  readonly bestTurns: Uint32Array;
  /** The best score of a turn by its own words. The scores of turns are relative to it. */
  readonly best: number;
}

/** Ranks turns together with their neighbors and sessions, and ranks the sessions. */
export function rankTurns(
  view: CollectionView,
  links: SessionLinks,
  { postings, top: turns, matches, limit }: RankInput & { readonly limit: number },
): RankedTurns {
  const matchingSessions = scoreSessions(links, postings);
  const matchCount = addScores(view, postings);
  const candidates = addNeighbors(view, links, matchCount);
  const best = bestScore(view, matchCount);
  const bestTurns = createBestTurns(links.names.length);
  for (let at = 0; at < candidates; at++) {
    const document = view.matched[at] ?? 0;
    if (!matches(document)) continue;
    const session = links.sessionOf[document] ?? 0;
    const own = (view.scores[document] ?? 0) / best;
    const around = evidenceAround(document, links, view.scores) / best;
    bestTurns.offerPassage(session, own + around);
    if (own > 0) bestTurns.offer(session, document, own);
    turns.offer(document, own + around + EVIDENCE.session * (links.scores[session] ?? 0));
  }
  const sessions = createTopList(limit);
  for (const session of matchingSessions) {
    const turn = bestTurns.scoreOf(session);
    if (turn > 0) sessions.offer(session, (links.scores[session] ?? 0) + turn);
    links.scores[session] = 0;
  }
  clearScores(view, candidates);
  return { turns: turns.all(), sessions: sessions.all(), bestTurns: bestTurns.documents, best };
}

interface BestTurns {
  readonly documents: Uint32Array;
  /** `own`: the score of its own words. */
  readonly offer: (session: number, document: number, own: number) => void;
  /** The score of a turn with its neighbors. */
  readonly offerPassage: (session: number, score: number) => void;
  /** What the best turn adds to the score of a session; 0 if none of its turns has a word of the query. */
  readonly scoreOf: (session: number) => number;
}

/** Keeps the best turn of each session. */
function createBestTurns(sessions: number): BestTurns {
  const alone = new Float64Array(sessions);
  const withNeighbors = new Float64Array(sessions);
  const documents = new Uint32Array(sessions);
  return {
    documents,
    offerPassage: (session, score) => {
      if (score > (withNeighbors[session] ?? 0)) withNeighbors[session] = score;
    },
    offer: (session, document, own) => {
      if (own <= (alone[session] ?? 0)) return;
      alone[session] = own;
      documents[session] = document;
    },
    scoreOf: (session) => {
      const own = alone[session] ?? 0;
      if (own === 0) return 0;
      return BEST_TURN.alone * own + BEST_TURN.withNeighbors * (withNeighbors[session] ?? 0);
    },
  };
}

function bestScore({ scores, matched }: CollectionView, matchCount: number): number {
  let best = 0;
  for (let at = 0; at < matchCount; at++) best = Math.max(best, scores[matched[at] ?? 0] ?? 0);
  return best;
}

/** What the neighbors of a turn add to its score. */
export function evidenceAround(
  document: number,
  { previous, next }: Pick<SessionLinks, "previous" | "next">,
  scores: Readonly<Record<number, number>>,
): number {
  let sum = 0;
  let turn = document;
  for (const share of EVIDENCE.before) {
    turn = previous[turn] ?? -1;
    if (turn === -1) break;
    sum += share * (scores[turn] ?? 0);
  }
  turn = document;
  for (const share of EVIDENCE.after) {
    turn = next[turn] ?? -1;
    if (turn === -1) break;
    sum += share * (scores[turn] ?? 0);
  }
  return sum;
}

/** Adds the neighbors of matching turns to the candidates: an answer need not repeat the words of the question. */
function addNeighbors(
  { matched }: CollectionView,
  { previous, next, marks }: SessionLinks,
  matchCount: number,
): number {
  for (let at = 0; at < matchCount; at++) marks[matched[at] ?? 0] = 1;
  let count = matchCount;
  const addFrom = (document: number, towards: Int32Array, reach: number): void => {
    let turn = document;
    for (let step = 0; step < reach; step++) {
      turn = towards[turn] ?? -1;
      if (turn === -1) return;
      if (marks[turn] === 1) continue;
      marks[turn] = 1;
      matched[count++] = turn;
    }
  };
  // When many turns match, those farther away do not reach the top.
  const isWide = matchCount <= MAX_WIDE_MATCHES;
  const [back, ahead] = isWide ? [EVIDENCE.after.length, EVIDENCE.before.length] : [1, 1];
  for (let at = 0; at < matchCount; at++) {
    const document = matched[at] ?? 0;
    addFrom(document, previous, back);
    addFrom(document, next, ahead);
  }
  for (let at = 0; at < count; at++) marks[matched[at] ?? 0] = 0;
  return count;
}

/**
 * Scores each session as a whole, relative to the best one: its turns and its summary count together. Writes to `scores`
 * of the links and returns the matching sessions.
 */
function scoreSessions(links: SessionLinks, postings: readonly TermPostings[]): readonly number[] {
  const { scores, counts, words, names } = links;
  const scored: number[] = [];
  const average = Math.max(1, words.reduce((sum, own) => sum + own, 0) / Math.max(1, names.length));
  const { k1, b } = SATURATION.session;
  for (const { times, runs } of postings) {
    const matching = countBySession(links, runs);
    const weight = times * rarity(matching.length, names.length);
    for (const session of matching) {
      const count = counts[session] ?? 0;
      const halfway = k1 * (1 - b + (b * (words[session] ?? 0)) / average);
      if (scores[session] === 0) scored.push(session);
      scores[session] = (scores[session] ?? 0) + (weight * count) / (count + halfway);
      counts[session] = 0;
    }
  }
  const best = scored.reduce((most, session) => Math.max(most, scores[session] ?? 0), 0);
  for (const session of scored) scores[session] = (scores[session] ?? 0) / best;
  return scored;
}

function countBySession(
  { counts, sessionOf }: SessionLinks,
  runs: TermPostings["runs"],
): readonly number[] {
  const matching: number[] = [];
  for (const { first, documents, counts: own } of runs) {
    for (let at = 0; at < documents.length; at++) {
      const document = first + (documents[at] ?? 0);
      const session = sessionOf[document] ?? 0;
      const before = counts[session] ?? 0;
      if (before === 0) matching.push(session);
      counts[session] = before + (DECODED_COUNTS[own[at] ?? 0] ?? 0);
    }
  }
  return matching;
}
