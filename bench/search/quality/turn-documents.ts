import type { Meeting } from "../meetings.ts";

export interface TurnDocument {
  readonly id: string;
  readonly kind: "turn";
  readonly session: string;
  readonly turn: number;
  readonly body: string;
}

/** The turns of a meeting, as a past session would have them. */
export function turnDocuments({ name, turns }: Meeting): readonly TurnDocument[] {
  return turns.map(([speaker, content], turn) => ({
    id: `${name}#${turn}`,
    kind: "turn",
    session: name,
    turn,
    body: `${speaker}: ${content}`,
  }));
}
