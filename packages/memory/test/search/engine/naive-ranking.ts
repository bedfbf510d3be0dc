import type { SearchDocument } from "../../../src/search/engine/document.ts";

/** A direct implementation of the ranking formulas, without any optimization. Splits words at spaces. */
const FIELDS = [
  ["name", 3],
  ["description", 2],
  ["tags", 2],
  ["headings", 1],
  ["body", 1],
  ["facts", 1],
] as const;

const tokensOf = (text = ""): readonly string[] => text.split(" ").filter((word) => word !== "");
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

interface Bag {
  readonly length: number;
  readonly count: (word: string) => number;
}

function bagOf(documents: readonly SearchDocument[]): Bag {
  const parts = documents.flatMap((document) =>
    FIELDS.map(([field, weight]) => ({ words: tokensOf(document[field]), weight })),
  );
  return {
    length: sum(parts.map(({ words }) => words.length)),
    count: (word) =>
      sum(parts.map(({ words, weight }) => weight * words.filter((each) => each === word).length)),
  };
}

function bm25(
  bags: readonly Bag[],
  query: string,
  { k1, b }: { readonly k1: number; readonly b: number },
): readonly number[] {
  const average = Math.max(1, sum(bags.map(({ length }) => length)) / Math.max(1, bags.length));
  return bags.map((bag) =>
    sum(
      tokensOf(query).map((word) => {
        const holders = bags.filter(({ count }) => count(word) > 0).length;
        const rarity = Math.log(1 + (bags.length - holders + 0.5) / (holders + 0.5));
        const count = bag.count(word);
        return (rarity * count) / (count + k1 * (1 - b + (b * bag.length) / average));
      }),
    ),
  );
}

export function naiveTopics(
  documents: readonly SearchDocument[],
  query: string,
): ReadonlyMap<string, number> {
  const scores = bm25(
    documents.map((document) => bagOf([document])),
    query,
    { k1: 1.1, b: 0.65 },
  );
  return found(documents.map(({ id }, at) => [id, scores[at] ?? 0]));
}

/** Takes turns in the order of their sessions. */
export function naiveTurns(
  turns: readonly SearchDocument[],
  query: string,
): { readonly turns: ReadonlyMap<string, number>; readonly sessions: ReadonlyMap<string, number> } {
  const names = [...new Set(turns.map(({ session = "" }) => session))];
  const bySession = names.map((name) => turns.filter(({ session }) => session === name));
  const wholes = shares(bm25(bySession.map(bagOf), query, { k1: 0.9, b: 0.75 }));
  const own = shares(
    bm25(
      turns.map((turn) => bagOf([turn])),
      query,
      { k1: 0.9, b: 0.2 },
    ),
  );
  const ownOf = (turn: SearchDocument | undefined): number =>
    turn === undefined ? 0 : (own[turns.indexOf(turn)] ?? 0);
  const scored = bySession.flatMap((all, number) =>
    all.map((turn, at) => {
      const isMet = all.slice(Math.max(0, at - 4), at + 5).some((each) => ownOf(each) > 0);
      const around =
        sum([0.4, 0.3, 0.1, 0.1].map((share, step) => share * ownOf(all[at - step - 1]))) +
        sum([0.2, 0.1, 0.1, 0.1].map((share, step) => share * ownOf(all[at + step + 1])));
      const score = ownOf(turn) + around + 0.7 * (wholes[number] ?? 0);
      return { id: turn.id, score: isMet ? score : 0, passage: ownOf(turn) + around, number };
    }),
  );
  const sessions = bySession.map((all, number) => {
    const best = Math.max(...all.map(ownOf));
    const passages = scored.filter((turn) => turn.number === number).map(({ passage }) => passage);
    const score = (wholes[number] ?? 0) + 0.9 * best + 0.2 * Math.max(...passages);
    return [names[number] ?? "", best > 0 ? score : 0] as const;
  });
  return {
    turns: found(scored.map(({ id, score }) => [id, score])),
    sessions: found(sessions),
  };
}

function shares(scores: readonly number[]): readonly number[] {
  const best = Math.max(0, ...scores);
  return scores.map((score) => (best === 0 ? 0 : score / best));
}

function found(scored: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  return new Map(scored.filter(([, score]) => score > 0));
}
