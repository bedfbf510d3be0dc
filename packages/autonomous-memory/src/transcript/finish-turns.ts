import { cleanLine } from "./clean-text.ts";
import { type FindSecrets, redactPieces } from "./redact-pieces.ts";
import { keptOf, type ScannedPiece, wholePiece } from "./scanned-piece.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";
import type { TurnDraft } from "./turn-draft.ts";

/** Turns that may leave the machine, and how many secrets were in them. */
export interface FinishedTurns {
  readonly turns: readonly TranscriptTurn[];
  readonly redactedSecrets: number;
}

const MAX_CALL_CHARS = 300;

/** Takes secrets out of drafts, and only then cuts them to size. */
export async function finishTurns(
  drafts: readonly TurnDraft[],
  findSecrets: FindSecrets,
): Promise<FinishedTurns> {
  const redacted = await redactPieces(
    drafts.flatMap(({ pieces }) => pieces),
    findSecrets,
  );
  let next = 0;
  const turns = drafts.map((draft): TranscriptTurn => {
    const pieces = redacted.pieces.slice(next, next + draft.pieces.length);
    next += draft.pieces.length;
    return { ...draft.turn, text: textOf(pieces, draft.rawChars) };
  });
  const lines = await finishCalls(turns, findSecrets);
  return {
    turns: lines.turns,
    redactedSecrets: redacted.redactedSecrets + lines.redactedSecrets,
  };
}

function textOf(pieces: readonly ScannedPiece[], rawChars: number): string {
  const kept = pieces.map(keptOf);
  const head = kept.map((part) => part.head).join("");
  const tail = kept.map((part) => part.tail).join("");
  const isCut = pieces.length > 1 || pieces.some((piece) => piece.headEnd < piece.tailStart);
  if (!isCut) return withoutBlankEnds(head);
  const leftOut = Math.max(1, rawChars - head.length - tail.length);
  const mark = `[… ${leftOut} characters left out …]`;
  return withoutBlankEnds(`${head.trimEnd()}\n${mark}\n${tail}`);
}

function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

/**
 * Makes one line of each call. What stood on two lines now stands beside each other and may be a secret that it was not
 * before, so these are looked through again.
 */
async function finishCalls(
  turns: readonly TranscriptTurn[],
  findSecrets: FindSecrets,
): Promise<FinishedTurns> {
  const places = turns.flatMap(({ kind, text }, at) =>
    kind === "call" && text.includes("\n") ? [at] : [],
  );
  const pieces = places.map((at) => wholePiece(cleanLine(turns[at]?.text ?? "")));
  const { pieces: redacted, redactedSecrets } = await redactPieces(pieces, findSecrets);
  const lines = new Map(places.map((at, order) => [at, redacted[order]?.text ?? ""]));
  return {
    turns: turns.map((turn, at) =>
      turn.kind === "call" ? { ...turn, text: cutLine(lines.get(at) ?? turn.text) } : turn,
    ),
    redactedSecrets,
  };
}

function cutLine(text: string): string {
  if (text.length <= MAX_CALL_CHARS) return text;
  return `${keptOf({ text, headEnd: MAX_CALL_CHARS - 1, tailStart: text.length }).head.trimEnd()}…`;
}
