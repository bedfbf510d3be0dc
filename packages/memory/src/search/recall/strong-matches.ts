import { searchTerms } from "../analyzer/query-terms.ts";
import { isSignificant, wordWeight } from "./common-words.ts";
import { type MessageWords, parseMessage } from "./message-words.ts";

/** A topic found by a search. */
export interface MatchedTopic {
  readonly slug: string;
  /** The share of the query that it contains, weighted by rarity. */
  readonly coverage: number;
}

export interface StrongMatch {
  readonly slug: string;
  /** Whether it still matches with this description, which an index does not store. */
  readonly matchesDescription: (description: string) => boolean;
}

const MIN_COVERAGE = 0.75;
/** In significant words. A single one must be part of the name. */
const MIN_WORDS = 1;
const MIN_WORDS_WITHOUT_NAME = 2;
const MAX_WORDS = 12;
/** In a longer message, a single word means little. */
const MAX_WORDS_AROUND_ONE = 24;
/** Words that match more topics than this are too common to mean one of them. */
const MAX_MATCHES = 3;

/**
 * The topics that a message is certainly about, best first: those that it names, then those that contain nearly all of
 * its significant words. Missing a topic is better than a wrong one.
 */
export function strongMatches(
  message: string,
  search: (query: string) => readonly MatchedTopic[],
): readonly StrongMatch[] {
  const words = parseMessage(message);
  if (words.sentences.every((terms) => terms.length === 0)) return [];
  const found = search(words.text);
  const focused = words.significantText === "" ? [] : search(words.significantText);
  const slugs = [...new Set([...focused, ...found].map(({ slug }) => slug))];
  const named = slugs
    .map((slug) => ({ slug, weight: weightOfName(slug, words) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  const about = topicsAbout(words, focused).filter((slug) =>
    named.every((match) => match.slug !== slug),
  );
  return [
    ...named.map(({ slug }) => ({ slug, matchesDescription: () => true })),
    ...about.map((slug) => ({ slug, matchesDescription: sharesTerm(words, slug) })),
  ];
}

/** How strongly a message names a topic; 0 if part of the name is missing or it may be a coincidence. */
function weightOfName(slug: string, { sentences, significantTerms }: MessageWords): number {
  const { parts, whole } = nameTerms(slug);
  const weight = parts.reduce((sum, part) => sum + wordWeight(part), 0);
  if (whole !== undefined && sentences.some((terms) => terms.includes(whole))) return weight + 1;
  const significant = parts.filter(isSignificant).length;
  const isOne = parts.length === 1;
  if (isOne && (significant === 0 || significantTerms.size > MAX_WORDS_AROUND_ONE)) return 0;
  return sentences.some((terms) => areMentioned(parts, terms, significant)) ? weight : 0;
}

/** The less significant the parts are, the closer together they must be. */
function areMentioned(
  parts: readonly string[],
  terms: readonly string[],
  significant: number,
): boolean {
  const positions = parts.map((part) => terms.indexOf(part));
  if (positions.length === 0 || positions.includes(-1)) return false;
  if (significant === 0)
    return positions.every((position, at) => position === at + (positions[0] ?? 0));
  return significant > 1 || Math.max(...positions) - Math.min(...positions) < positions.length;
}

/** The parts of a name, and the whole name if it has several. */
function nameTerms(slug: string): {
  readonly parts: readonly string[];
  readonly whole: string | undefined;
} {
  const parts = searchTerms(slug.replace(/[^\p{L}\p{M}\p{N}]+/gu, " "));
  const whole = searchTerms(slug).find((term) => !parts.includes(term));
  return { parts, whole };
}

function topicsAbout(
  { significantTerms }: MessageWords,
  focused: readonly MatchedTopic[],
): readonly string[] {
  const words = [...significantTerms].reduce((sum, term) => sum + wordWeight(term), 0);
  if (words < MIN_WORDS || words > MAX_WORDS) return [];
  const isIn = (slug: string): boolean =>
    searchTerms(slug).some((term) => significantTerms.has(term));
  const about = focused.filter(
    ({ slug, coverage }) =>
      coverage >= MIN_COVERAGE && (words >= MIN_WORDS_WITHOUT_NAME || isIn(slug)),
  );
  return about.length > MAX_MATCHES ? [] : about.map(({ slug }) => slug);
}

/** The subject of a topic shows in its name or description; a long text contains many words by chance. */
function sharesTerm(
  { significantTerms }: MessageWords,
  slug: string,
): (description: string) => boolean {
  return (description) =>
    searchTerms(`${slug} ${description}`).some((term) => significantTerms.has(term));
}
