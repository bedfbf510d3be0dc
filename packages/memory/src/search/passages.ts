import type { FoundTurn } from "./results.ts";

/** Turns of one session that stand side by side: those that were found, and one before and after each. */
export interface Passage {
  readonly session: string;
  /** The id of the best of its turns, whose score and time it has. */
  readonly best: string;
  readonly score: number;
  readonly updatedMs: number | undefined;
  /** In the order of the session. */
  readonly turns: readonly PassageTurn[];
}

export interface PassageTurn {
  readonly id: string;
  /** False for a turn that only stands beside one. */
  readonly isHit: boolean;
}

/** Two that were found are this far apart when the turns beside them stand side by side. */
const TOUCHING = 3;

/** Joins turns that were found, best first, to passages that neither overlap nor touch one another; at most `limit` of them, best first. */
export function toPassages(turns: readonly FoundTurn[], limit: number): readonly Passage[] {
  const ranked = turns.map((turn, rank) => ({ turn, rank }));
  const bySession = Map.groupBy(ranked, ({ turn }) => turn.session);
  return [...bySession.values()]
    .flatMap(groupsOf)
    .map((group) => ({ group, best: group.reduce(better) }))
    .toSorted((one, other) => one.best.rank - other.best.rank)
    .slice(0, Math.max(0, limit))
    .map(({ group, best: { turn } }) => ({
      session: turn.session,
      best: turn.id,
      score: turn.score,
      updatedMs: turn.updatedMs,
      turns: withNeighbours(group.map((one) => one.turn)),
    }));
}

interface RankedTurn {
  readonly turn: FoundTurn;
  readonly rank: number;
}

function better(one: RankedTurn, other: RankedTurn): RankedTurn {
  return one.rank < other.rank ? one : other;
}

/** In the order of the session, each touches the one before it or begins anew: nothing is far from both and near a third. */
function groupsOf(ranked: readonly RankedTurn[]): readonly (readonly RankedTurn[])[] {
  const groups: RankedTurn[][] = [];
  for (const one of ranked.toSorted((a, b) => a.turn.turn - b.turn.turn)) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && isTouching(last.turn, one.turn)) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  return groups;
}

function isTouching(before: FoundTurn, after: FoundTurn): boolean {
  if (after.turn - before.turn <= TOUCHING) return true;
  return before.next !== undefined && (before.next === after.id || before.next === after.previous);
}

function withNeighbours(turns: readonly FoundTurn[]): readonly PassageTurn[] {
  const hits = new Set(turns.map(({ id }) => id));
  const ids = turns.flatMap(({ previous, id, next }) => [previous, id, next]);
  const known = new Set(ids.filter((id) => id !== undefined));
  return [...known].map((id) => ({ id, isHit: hits.has(id) }));
}
