import { setImmediate } from "node:timers/promises";
import type { SpokenTurn } from "@caliban/sessions";
import type { SearchTerms } from "./document-source.ts";

/** Which facts belong to which turn. */
export interface AttachedFacts {
  /** By the index of the turn. */
  readonly byTurn: ReadonlyMap<number, readonly string[]>;
  /** Facts that match no turn. */
  readonly others: readonly string[];
}

/** A smaller share of a fact's terms is a coincidence. */
const MIN_SHARE = 0.3;
/** A turn of the user is taken as the source unless another turn contains much more of the fact. */
const SHARE_OF_BEST = 0.6;
/** A term in more turns than this share identifies none of them. The limits keep it useful and fast. */
const COMMON_SHARE = 0.05;
const [MIN_COMMON_TURNS, MAX_COMMON_TURNS] = [50, 500];
/** How many characters are processed before other work gets a chance to run. */
const CHARACTERS_PER_SLICE = 50_000;

type Turn = Pick<SpokenTurn, "role" | "text">;

/**
 * Attaches each fact to the turn that it most likely comes from: the one that contains most of its terms, where a rare
 * term counts more and the user's turns come first. Yields to other work regularly.
 */
export async function attachFacts(
  turns: readonly Turn[],
  facts: readonly string[],
  searchTerms: SearchTerms,
): Promise<AttachedFacts> {
  const byTurn = new Map<number, string[]>();
  const others: string[] = [];
  if (facts.length === 0) return { byTurn, others };
  const factTerms = facts.map((fact) => searchTerms(fact));
  const occurrences = await findOccurrences(turns, new Set(factTerms.flat()), searchTerms);
  for (const [index, fact] of facts.entries()) {
    const turn = findSource(factTerms[index] ?? [], turns, occurrences);
    if (turn === undefined) others.push(fact);
    else byTurn.set(turn, [...(byTurn.get(turn) ?? []), fact]);
    // Yields to other work on purpose.
    await setImmediate();
  }
  return { byTurn, others };
}

/** The turns that contain a term; of a common term, only the first ones. */
interface Occurrences {
  readonly first: number[];
  count: number;
}

async function findOccurrences(
  turns: readonly Pick<Turn, "text">[],
  wanted: ReadonlySet<string>,
  searchTerms: SearchTerms,
): Promise<ReadonlyMap<string, Occurrences>> {
  const max = commonTurns(turns.length);
  const occurrences = new Map<string, Occurrences>();
  let characters = 0;
  for (const [index, { text }] of turns.entries()) {
    for (const term of searchTerms(text)) {
      if (!wanted.has(term)) continue;
      const own = occurrences.get(term) ?? { first: [], count: 0 };
      if (++own.count === 1) occurrences.set(term, own);
      if (own.first.length < max) own.first.push(index);
    }
    characters += text.length;
    if (characters < CHARACTERS_PER_SLICE) continue;
    characters = 0;
    // Yields to other work on purpose.
    await setImmediate();
  }
  return occurrences;
}

function commonTurns(turns: number): number {
  const share = Math.ceil(turns * COMMON_SHARE);
  return Math.min(MAX_COMMON_TURNS, Math.max(MIN_COMMON_TURNS, share));
}

function findSource(
  terms: readonly string[],
  turns: readonly Pick<Turn, "role">[],
  occurrences: ReadonlyMap<string, Occurrences>,
): number | undefined {
  const shares = new Map<number, number>();
  const max = commonTurns(turns.length);
  const found = terms.map((term) => occurrences.get(term) ?? NOWHERE);
  const significant = found.filter(({ count }) => count <= max);
  // A fact of common terms only still has a turn that contains most of them.
  const hasSignificant = significant.some(({ count }) => count > 0);
  let total = 0;
  for (const { first, count } of hasSignificant ? significant : found) {
    const weight = Math.log(1 + turns.length / Math.max(1, count));
    total += weight;
    for (const index of first) shares.set(index, (shares.get(index) ?? 0) + weight);
  }
  const best = findBest(shares, () => true);
  const bestOfUser = findBest(shares, (index) => turns[index]?.role === "user");
  if (best === undefined || best.share < MIN_SHARE * total) return undefined;
  const isFromUser = (bestOfUser?.share ?? 0) >= SHARE_OF_BEST * best.share;
  return isFromUser ? bestOfUser?.index : best.index;
}

const NOWHERE: Occurrences = { first: [], count: 0 };

interface TurnShare {
  readonly index: number;
  readonly share: number;
}

/** The first turn with the highest share. */
function findBest(
  shares: ReadonlyMap<number, number>,
  isIncluded: (index: number) => boolean,
): TurnShare | undefined {
  let best: TurnShare | undefined;
  for (const [index, share] of shares) {
    if (!isIncluded(index)) continue;
    const isBetter =
      best === undefined || share > best.share || (share === best.share && index < best.index);
    if (isBetter) best = { index, share };
  }
  return best;
}
