import { tokenize } from "./tokenize.ts";

/** What is searched: the parts of a topic, of which some tell more than others. */
export interface SearchDocument {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

export interface RankedDocument<T extends SearchDocument> {
  readonly document: T;
  readonly score: number;
}

/** How much a word counts in each part. */
const WEIGHTS = { name: 4, description: 2, body: 1 } as const;
/** A word that only begins like the wanted one counts for less. */
const PREFIX_SHARE = 0.5;
const SHORTEST_PREFIX = 3;
/** From here on, more of the same word adds little. */
const SATURATION = 1.5;

/** The documents that hold a word of the query, best first; rare words count for more. */
export function rankDocuments<T extends SearchDocument>(
  documents: readonly T[],
  query: string,
): readonly RankedDocument<T>[] {
  const words = [...new Set(tokenize(query))];
  const counted = documents.map((document) => ({ document, counts: countWords(document) }));
  const weightOf = new Map(
    words.map((word) => {
      const holders = counted.filter(({ counts }) => frequency(counts, word) > 0).length;
      return [word, Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5))] as const;
    }),
  );
  return counted
    .map(({ document, counts }) => {
      const score = words.reduce((sum, word) => {
        const times = frequency(counts, word);
        return sum + ((weightOf.get(word) ?? 0) * times) / (times + SATURATION);
      }, 0);
      return { document, score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
}

function countWords(document: SearchDocument): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const part of ["name", "description", "body"] as const) {
    for (const word of tokenize(document[part])) {
      counts.set(word, (counts.get(word) ?? 0) + WEIGHTS[part]);
    }
  }
  return counts;
}

function frequency(counts: ReadonlyMap<string, number>, word: string): number {
  const exact = counts.get(word) ?? 0;
  if (exact > 0 || word.length < SHORTEST_PREFIX) return exact;
  let best = 0;
  for (const [other, count] of counts) {
    if (other.startsWith(word)) best = Math.max(best, count);
  }
  return best * PREFIX_SHARE;
}
