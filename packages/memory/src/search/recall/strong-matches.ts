import { searchTerms } from "../analyzer/query-terms.ts";
import { isSignificant, wordWeight } from "./common-words.ts";
import { type MessageWords, extractMessageWords } from "./message-words.ts";

/** A topic that a search gave. */
export interface MatchedTopic {
  readonly slug: string;
  /** The share of the query that it holds, by rarity. */
  readonly coverage: number;
}

export interface StrongMatch {
  readonly slug: string;
  /** Whether it still is one with this description, which an index does not keep. */
  readonly matchesDescription: (description: string) => boolean;
}

const LEAST_COVERAGE = 0.75;
/** In words that tell something. A single one has to stand in the name. */
const LEAST_WORDS = 1;
const FEW_WORDS = 2;
const MOST_WORDS = 12;
/** In a longer message, a single word is one of many. */
const MOST_WORDS_AROUND_ONE = 24;
/** What fits more topics than these is too common to mean one of them. */
const MOST_ABOUT = 3;

/**
 * The topics that a message speaks of beyond doubt, best first: those that it names, and after them those that hold nearly all
 * of what it says. It would rather miss one than name a wrong one.
 */
export function strongMatches(
  message: string,
  search: (query: string) => readonly MatchedTopic[],
): readonly StrongMatch[] {
  const words = extractMessageWords(message);
  if (words.sentences.every((terms) => terms.length === 0)) return [];
  const found = search(words.text);
  const aimed = words.significantText === "" ? [] : search(words.significantText);
  const slugs = [...new Set([...aimed, ...found].map(({ slug }) => slug))];
  const named = slugs
    .map((slug) => ({ slug, weight: weightOfName(slug, words) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  const about = topicsAbout(words, aimed).filter((slug) =>
    named.every((match) => match.slug !== slug),
  );
  return [
    ...named.map(({ slug }) => ({ slug, holdsWith: () => true })),
    ...about.map((slug) => ({ slug, holdsWith: sharesWith(words, slug) })),
  ];
}

/** How much of a name the message says; 0 when not all of it, or when it may be chance. */
function weightOfName(slug: string, { sentences, significantTerms: tellingTerms }: MessageWords): number {
  const { parts, whole } = nameTerms(slug);
  const weight = parts.reduce((sum, part) => sum + wordWeight(part), 0);
  if (whole !== undefined && sentences.some((terms) => terms.includes(whole))) return weight + 1;
  const telling = parts.filter(isSignificant).length;
  const isOne = parts.length === 1;
  if (isOne && (telling === 0 || tellingTerms.size > MOST_WORDS_AROUND_ONE)) return 0;
  return sentences.some((terms) => isSaid(parts, terms, telling)) ? weight : 0;
}

/** The less the parts tell, the closer they have to stand. */
function isSaid(parts: readonly string[], terms: readonly string[], telling: number): boolean {
  const places = parts.map((part) => terms.indexOf(part));
  if (places.length === 0 || places.includes(-1)) return false;
  if (telling === 0) return places.every((place, at) => place === at + (places[0] ?? 0));
  return telling > 1 || Math.max(...places) - Math.min(...places) < places.length;
}

/** The parts of a name, and the name as one word where it has several. */
function nameTerms(slug: string): {
  readonly parts: readonly string[];
  readonly whole: string | undefined;
} {
  const parts = searchTerms(slug.replace(/[^\p{L}\p{M}\p{N}]+/gu, " "));
  const whole = searchTerms(slug).find((term) => !parts.includes(term));
  return { parts, whole };
}

function topicsAbout(
  { significantTerms: tellingTerms }: MessageWords,
  aimed: readonly MatchedTopic[],
): readonly string[] {
  const words = [...tellingTerms].reduce((sum, term) => sum + wordWeight(term), 0);
  if (words < LEAST_WORDS || words > MOST_WORDS) return [];
  const isIn = (slug: string): boolean => searchTerms(slug).some((term) => tellingTerms.has(term));
  const about = aimed.filter(
    ({ slug, coverage }) => coverage >= LEAST_COVERAGE && (words >= FEW_WORDS || isIn(slug)),
  );
  return about.length > MOST_ABOUT ? [] : about.map(({ slug }) => slug);
}

/** What it is about shows in its name or description; a long text has many words by chance. */
function sharesWith({ significantTerms: tellingTerms }: MessageWords, slug: string): (description: string) => boolean {
  return (description) =>
    searchTerms(`${slug} ${description}`).some((term) => tellingTerms.has(term));
}
