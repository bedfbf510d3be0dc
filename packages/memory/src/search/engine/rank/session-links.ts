import { textAt } from "../segment/packed-texts.ts";
import { KINDS } from "../segment/segment.ts";
import type { CollectionView } from "./collection-view.ts";

/** The order of turns in their sessions, across all segments. */
export interface SessionLinks {
  readonly names: readonly string[];
  /** The session number of each document. */
  readonly sessionOf: Uint32Array;
  /** The turns before and after each turn in its session; -1 if there is none. */
  readonly previous: Int32Array;
  readonly next: Int32Array;
  /** The number of words of each session. */
  readonly words: Float64Array;
  /** Scratch space for counts and scores of sessions: zero between searches. */
  readonly counts: Float64Array;
  readonly scores: Float64Array;
  /** Scratch space to mark turns: zero between searches. */
  readonly marks: Uint8Array;
}

const TURN = KINDS.indexOf("turn");

export function linkSessions(view: CollectionView): SessionLinks {
  const numbers = new Map<string, number>();
  const sessionOf = new Uint32Array(view.size);
  const turnsOf: (number[] | undefined)[] = [];
  const positions = new Float64Array(view.size);
  const words: number[] = [];
  for (const { open, first } of view.parts) {
    const { sessions, sessionNames, kinds, turns, lengths } = open.segment;
    const global = new Map<number, number>();
    const numberOf = (own: number): number => {
      const known = global.get(own);
      if (known !== undefined) return known;
      const name = textAt(sessionNames, own);
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      global.set(own, number);
      return number;
    };
    for (const [at, own] of sessions.entries()) {
      // A session without any remaining document does not count.
      if (open.removed[at] === 1) continue;
      const number = numberOf(own);
      sessionOf[first + at] = number;
      words[number] = (words[number] ?? 0) + (lengths[at] ?? 0);
      if (kinds[at] !== TURN) continue;
      positions[first + at] = turns[at] ?? 0;
      (turnsOf[number] ??= []).push(first + at);
    }
  }
  return {
    names: [...numbers.keys()],
    sessionOf,
    ...linkTurns(turnsOf, positions),
    words: Float64Array.from(words),
    counts: new Float64Array(numbers.size),
    scores: new Float64Array(numbers.size),
    marks: new Uint8Array(view.size),
  };
}

function linkTurns(
  turnsOf: readonly (readonly number[] | undefined)[],
  positions: Float64Array,
): Pick<SessionLinks, "previous" | "next"> {
  const previous = new Int32Array(positions.length).fill(-1);
  const next = new Int32Array(positions.length).fill(-1);
  for (const turns of turnsOf) {
    if (turns === undefined) continue;
    const inOrder = turns.toSorted((one, other) => (positions[one] ?? 0) - (positions[other] ?? 0));
    for (const [at, turn] of inOrder.entries()) {
      previous[turn] = inOrder[at - 1] ?? -1;
      next[turn] = inOrder[at + 1] ?? -1;
    }
  }
  return { previous, next };
}
