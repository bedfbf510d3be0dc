import { searchTerms } from "@caliban/memory/search";
import type { SpokenTurn } from "@caliban/sessions";

/** Which facts stand beside which turn. */
export interface AttachedFacts {
  /** By the place of the turn in the list. */
  readonly byTurn: ReadonlyMap<number, readonly string[]>;
  /** Those that fit no turn. */
  readonly others: readonly string[];
}

/** Less of what a fact says is chance. */
const LEAST_SHARE = 0.3;
/** What a person said counts as the source, unless somebody else said much more of it. */
const SHARE_OF_BEST = 0.6;

/**
 * Puts each fact to the turn that it most likely comes from: the one with the most of its words, where a word counts more
 * the fewer turns have it, and a person's words count first.
 */
export function attachFacts(
  turns: readonly Pick<SpokenTurn, "role" | "text">[],
  facts: readonly string[],
): AttachedFacts {
  const byTurn = new Map<number, string[]>();
  const others: string[] = [];
  if (facts.length === 0) return { byTurn, others };
  const wanted = facts.map((fact) => searchTerms(fact));
  const places = placesOf(turns, new Set(wanted.flat()));
  for (const [at, fact] of facts.entries()) {
    const turn = sourceOf(wanted[at] ?? [], { turns, places });
    if (turn === undefined) others.push(fact);
    else byTurn.set(turn, [...(byTurn.get(turn) ?? []), fact]);
  }
  return { byTurn, others };
}

/** Of each wanted term, the turns that have it. */
function placesOf(
  turns: readonly Pick<SpokenTurn, "text">[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, { text }] of turns.entries()) {
    for (const term of searchTerms(text)) {
      if (!wanted.has(term)) continue;
      const own = places.get(term);
      if (own === undefined) places.set(term, [at]);
      else own.push(at);
    }
  }
  return places;
}

function sourceOf(
  terms: readonly string[],
  {
    turns,
    places,
  }: {
    readonly turns: readonly Pick<SpokenTurn, "role">[];
    readonly places: ReadonlyMap<string, readonly number[]>;
  },
): number | undefined {
  const shares = new Map<number, number>();
  let whole = 0;
  for (const term of terms) {
    const own = places.get(term) ?? [];
    const weight = Math.log(1 + turns.length / Math.max(1, own.length));
    whole += weight;
    for (const at of own) shares.set(at, (shares.get(at) ?? 0) + weight);
  }
  const best = bestOf(shares, () => true);
  const bestOfPerson = bestOf(shares, (at) => turns[at]?.role === "user");
  if (best === undefined || best.share < LEAST_SHARE * whole) return undefined;
  const isOfPerson = (bestOfPerson?.share ?? 0) >= SHARE_OF_BEST * best.share;
  return isOfPerson ? bestOfPerson?.at : best.at;
}

/** The first of those with the most. */
function bestOf(
  shares: ReadonlyMap<number, number>,
  isMeant: (at: number) => boolean,
): { readonly at: number; readonly share: number } | undefined {
  let best: { readonly at: number; readonly share: number } | undefined;
  for (const [at, share] of shares) {
    if (!isMeant(at)) continue;
    const isBetter =
      best === undefined || share > best.share || (share === best.share && at < best.at);
    if (isBetter) best = { at, share };
  }
  return best;
}
