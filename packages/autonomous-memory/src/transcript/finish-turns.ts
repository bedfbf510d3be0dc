import { cleanLine } from "../text/clean-text.ts";
import { type FindSecrets, redactPieces } from "./redact-pieces.ts";
import { keptOf, type ScannedPiece, wholePiece } from "./scanned-piece.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";
import type { TurnDraft } from "./draft-turns.ts";

/** Turns that may leave the machine, and how many secrets were removed from them. */
export interface FinishedTurns {
  readonly turns: readonly TranscriptTurn[];
  readonly redactedSecrets: number;
}

const MAX_CALL_CHARS = 300;

/** Redacts drafts, and only then truncates them. */
export async function finishTurns(
  drafts: readonly TurnDraft[],
  findSecrets: FindSecrets,
): Promise<FinishedTurns> {
  const redacted = await redactPieces(
    drafts.flatMap(({ pieces }) => pieces),
    findSecrets,
  );
  let next = 0;
  const turns = drafts.map((draft): CutTurn => {
    const pieces = redacted.pieces.slice(next, next + draft.pieces.length);
    next += draft.pieces.length;
    return { ...draft.turn, ...textOf(pieces, draft) };
  });
  const lines = await finishCalls(turns, findSecrets);
  return {
    turns: lines.turns,
    redactedSecrets: redacted.redactedSecrets + lines.redactedSecrets,
  };
}

interface CutTurn extends TranscriptTurn {
  readonly isCut: boolean;
}

function textOf(
  pieces: readonly ScannedPiece[],
  { turn, rawChars }: TurnDraft,
): { readonly text: string; readonly isCut: boolean } {
  const kept = pieces.map(keptOf);
  const head = kept.map((part) => part.head).join("");
  const tail = kept.map((part) => part.tail).join("");
  const isCut = pieces.length > 1 || pieces.some((piece) => piece.headEnd < piece.tailStart);
  if (!isCut || turn.kind === "call") return { text: withoutBlankEnds(head), isCut };
  const omitted = Math.max(1, rawChars - head.length - tail.length);
  const mark = `[… ${omitted} characters omitted …]`;
  return { text: withoutBlankEnds(`${head.trimEnd()}\n${mark}\n${tail}`), isCut };
}

function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

/**
 * Puts each call on one line. Text from two lines may form a secret once they are joined, so the lines are scanned again.
 */
async function finishCalls(
  turns: readonly CutTurn[],
  findSecrets: FindSecrets,
): Promise<FinishedTurns> {
  const calls = turns.filter(({ kind }) => kind === "call");
  const { pieces, redactedSecrets } = await redactPieces(
    calls.map(({ text }) => wholePiece(cleanLine(text))),
    findSecrets,
  );
  const lines = new Map(calls.map((call, order) => [call, pieces[order]?.text ?? ""]));
  return {
    turns: turns.map((turn) => {
      const { isCut, ...rest } = turn;
      const line = lines.get(turn);
      return line === undefined ? rest : { ...rest, text: cutLine(line, isCut) };
    }),
    redactedSecrets,
  };
}

function cutLine(text: string, isCut: boolean): string {
  if (text.length <= MAX_CALL_CHARS && !isCut) return text;
  // The end of a truncated call may be half of a secret that is only recognizable on one line.
  const headEnd = Math.min(MAX_CALL_CHARS - 1, isCut ? text.length >> 1 : text.length);
  return `${keptOf({ text, headEnd, tailStart: text.length }).head.trimEnd()}…`;
}
