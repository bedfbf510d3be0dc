import { COUNTS } from "../segment/count-codes.ts";
import { rarity, type TermPostings } from "./postings.ts";
import type { SessionLinks } from "./session-links.ts";
import { SATURATION } from "./weights.ts";

/**
 * What a query says for each session as a whole, as a share of the best: what its turns and its summary hold is added up by
 * session. Leaves it in `scores` of the links and gives the sessions that were met.
 */
export function scoreSessions(
  links: SessionLinks,
  postings: readonly TermPostings[],
): readonly number[] {
  const { scores, counts, words, names } = links;
  const met: number[] = [];
  const average = Math.max(1, words.reduce((sum, own) => sum + own, 0) / Math.max(1, names.length));
  const { k1, b } = SATURATION.session;
  for (const { times, runs } of postings) {
    const holders = countBySession(links, runs);
    const worth = times * rarity(holders.length, names.length);
    for (const session of holders) {
      const count = counts[session] ?? 0;
      const halfway = k1 * (1 - b + (b * (words[session] ?? 0)) / average);
      if (scores[session] === 0) met.push(session);
      scores[session] = (scores[session] ?? 0) + (worth * count) / (count + halfway);
      counts[session] = 0;
    }
  }
  const best = met.reduce((most, session) => Math.max(most, scores[session] ?? 0), 0);
  for (const session of met) scores[session] = (scores[session] ?? 0) / best;
  return met;
}

function countBySession(
  { counts, sessionOf }: SessionLinks,
  runs: TermPostings["runs"],
): readonly number[] {
  const met: number[] = [];
  for (const { first, documents, counts: own } of runs) {
    for (let at = 0; at < documents.length; at++) {
      const document = first + (documents[at] ?? 0);
      const session = sessionOf[document] ?? 0;
      const before = counts[session] ?? 0;
      if (before === 0) met.push(session);
      counts[session] = before + (COUNTS[own[at] ?? 0] ?? 0);
    }
  }
  return met;
}
