import type { Meeting } from "../meetings.ts";

export interface TurnDocument {
  readonly id: string;
  readonly kind: "turn";
  readonly session: string;
  readonly turn: number;
  readonly body: string;
}

/** Returns the turns of a meeting as those of a past session. */
export function turnDocuments({ name, turns }: Meeting): readonly TurnDocument[] {
  return turns.map(([speaker, content], turn) => ({
    id: `${name}#${turn}`,
    kind: "turn",
    session: name,
    turn,
    body: `${speaker}: ${content}`,
  }));
}
