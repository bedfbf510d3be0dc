import type { FoundTurn } from "../engine/search-result.ts";

/** Consecutive turns of one session: matching ones, and one before and after each. */
export interface Passage {
  readonly session: string;
  /** The id of its best turn, which also gives the score and the time. */
  readonly best: string;
  readonly score: number;
  readonly updatedMs: number | undefined;
  readonly why: FoundTurn["why"];
  /** In the order of the session. */
  readonly turns: readonly PassageTurn[];
}

interface PassageTurn {
  readonly id: string;
  /** False for a neighboring turn. */
  readonly isHit: boolean;
}

/** The distance of two matching turns whose neighbors are adjacent. */
const MAX_DISTANCE = 3;

/** Joins matching turns into passages that neither overlap nor touch; returns at most `limit`, best first. */
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
      why: turn.why,
      turns: withNeighbors(group.map((one) => one.turn)),
    }));
}

interface RankedTurn {
  readonly turn: FoundTurn;
  readonly rank: number;
}

function better(one: RankedTurn, other: RankedTurn): RankedTurn {
  return one.rank < other.rank ? one : other;
}

/** In session order, each turn either touches the previous one or starts a new group. */
function groupsOf(ranked: readonly RankedTurn[]): readonly (readonly RankedTurn[])[] {
  const groups: RankedTurn[][] = [];
  for (const one of ranked.toSorted((a, b) => a.turn.turn - b.turn.turn)) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && touches(last.turn, one.turn)) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  return groups;
}

function touches(before: FoundTurn, after: FoundTurn): boolean {
  if (after.turn - before.turn <= MAX_DISTANCE) return true;
  return before.next !== undefined && (before.next === after.id || before.next === after.previous);
}

function withNeighbors(turns: readonly FoundTurn[]): readonly PassageTurn[] {
  const hits = new Set(turns.map(({ id }) => id));
  const ids = turns.flatMap(({ previous, id, next }) => [previous, id, next]);
  const known = new Set(ids.filter((id) => id !== undefined));
  return [...known].map((id) => ({ id, isHit: hits.has(id) }));
}
