import { setImmediate } from "node:timers/promises";
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
/** A word of more turns than that tells none of them: a share of all, but not few, and never so many that it takes long. */
const COMMON_SHARE = 0.05;
const [LEAST_COMMON, MOST_PLACES] = [50, 500];
/** So many characters are looked at before others have their turn. */
const CHARACTERS_PER_BREATH = 50_000;

type Turn = Pick<SpokenTurn, "role" | "text">;

/**
 * Puts each fact to the turn that it most likely comes from: the one with the most of its words, where a word counts more
 * the fewer turns have it, and a person's words count first. Gives way to others time and again.
 */
export async function attachFacts(
  turns: readonly Turn[],
  facts: readonly string[],
): Promise<AttachedFacts> {
  const byTurn = new Map<number, string[]>();
  const others: string[] = [];
  if (facts.length === 0) return { byTurn, others };
  const wanted = facts.map((fact) => searchTerms(fact));
  const places = await placesOf(turns, new Set(wanted.flat()));
  for (const [at, fact] of facts.entries()) {
    const turn = sourceOf(wanted[at] ?? [], { turns, places });
    if (turn === undefined) others.push(fact);
    else byTurn.set(turn, [...(byTurn.get(turn) ?? []), fact]);
    // oxlint-disable-next-line no-await-in-loop -- to give way is the purpose
    await setImmediate();
  }
  return { byTurn, others };
}

/** The turns that have a term; of a common one, the first of them. */
interface Places {
  readonly first: number[];
  count: number;
}

/** Of each wanted term, the turns that have it. */
async function placesOf(
  turns: readonly Pick<Turn, "text">[],
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Places>> {
  const most = mostPlaces(turns.length);
  const places = new Map<string, Places>();
  let characters = 0;
  for (const [at, { text }] of turns.entries()) {
    for (const term of searchTerms(text)) {
      if (!wanted.has(term)) continue;
      const own = places.get(term) ?? { first: [], count: 0 };
      if (++own.count === 1) places.set(term, own);
      if (own.first.length < most) own.first.push(at);
    }
    characters += text.length;
    if (characters < CHARACTERS_PER_BREATH) continue;
    characters = 0;
    // oxlint-disable-next-line no-await-in-loop -- to give way is the purpose
    await setImmediate();
  }
  return places;
}

function mostPlaces(turns: number): number {
  return Math.min(MOST_PLACES, Math.max(LEAST_COMMON, Math.ceil(turns * COMMON_SHARE)));
}

function sourceOf(
  terms: readonly string[],
  {
    turns,
    places,
  }: {
    readonly turns: readonly Pick<Turn, "role">[];
    readonly places: ReadonlyMap<string, Places>;
  },
): number | undefined {
  const shares = new Map<number, number>();
  const most = mostPlaces(turns.length);
  const found = terms.map((term) => places.get(term) ?? NOWHERE);
  const telling = found.filter(({ count }) => count <= most);
  // A fact of common words alone still has a turn that says the most of it.
  const isTold = telling.some(({ count }) => count > 0);
  let whole = 0;
  for (const { first, count } of isTold ? telling : found) {
    const weight = Math.log(1 + turns.length / Math.max(1, count));
    whole += weight;
    for (const at of first) shares.set(at, (shares.get(at) ?? 0) + weight);
  }
  const best = bestOf(shares, () => true);
  const bestOfPerson = bestOf(shares, (at) => turns[at]?.role === "user");
  if (best === undefined || best.share < LEAST_SHARE * whole) return undefined;
  const isOfPerson = (bestOfPerson?.share ?? 0) >= SHARE_OF_BEST * best.share;
  return isOfPerson ? bestOfPerson?.at : best.at;
}

const NOWHERE: Places = { first: [], count: 0 };

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
