import type { ScannedPiece } from "./scanned-piece.ts";

/** Where something looks like a secret; `SecretFinding` of `@caliban/common/secrets` is one. */
interface FoundSecret {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Looks for secrets in a text; findings in its order, none overlapping another. */
export type FindSecrets = (text: string) => Promise<readonly FoundSecret[]>;

/** Pieces without secrets, and how many were in them. */
export interface RedactedPieces {
  readonly pieces: readonly ScannedPiece[];
  readonly redactedSecrets: number;
}

// Each scan has a fixed cost, so many pieces are scanned as one text. The dashes end what a pattern takes for a private
// key, and the line is too long to stand between a name and its value.
const BETWEEN = "\n----- another part -----\n";

/**
 * Puts `[secret removed: KIND]` in place of each secret. A cut that lies in a secret moves behind the mark, so that
 * nothing of the value is kept on either side.
 */
export async function redactPieces(
  pieces: readonly ScannedPiece[],
  findSecrets: FindSecrets,
): Promise<RedactedPieces> {
  if (pieces.length === 0) return { pieces, redactedSecrets: 0 };
  const findings = await findSecrets(pieces.map(({ text }) => text).join(BETWEEN));
  if (findings.length === 0) return { pieces, redactedSecrets: 0 };
  const redacted = replaceIn(pieces, findings);
  // Again, because a secret that was glued to another one shows only beside the mark.
  const changed = redacted.flatMap((piece, at) => (piece === pieces[at] ? [] : [at]));
  const again = await redactPieces(
    changed.flatMap((at) => redacted[at] ?? []),
    findSecrets,
  );
  const final = [...redacted];
  for (const [order, at] of changed.entries()) {
    const piece = again.pieces[order];
    if (piece !== undefined) final[at] = piece;
  }
  return { pieces: final, redactedSecrets: findings.length + again.redactedSecrets };
}

/** The findings are those of all pieces joined. */
function replaceIn(
  pieces: readonly ScannedPiece[],
  findings: readonly FoundSecret[],
): readonly ScannedPiece[] {
  let start = 0;
  let next = 0;
  return pieces.map((piece) => {
    const end = start + piece.text.length;
    const own: FoundSecret[] = [];
    while ((findings[next]?.end ?? Infinity) <= start) next++;
    for (let at = next; (findings[at]?.start ?? Infinity) < end; at++) {
      const found = findings[at];
      if (found !== undefined) own.push(within(found, { start, end }));
    }
    start = end + BETWEEN.length;
    return own.length === 0 ? piece : replace(piece, own);
  });
}

function within(
  found: FoundSecret,
  { start, end }: { readonly start: number; readonly end: number },
): FoundSecret {
  return {
    kind: found.kind,
    start: Math.max(found.start, start) - start,
    end: Math.min(found.end, end) - start,
  };
}

function replace(piece: ScannedPiece, findings: readonly FoundSecret[]): ScannedPiece {
  const parts: string[] = [];
  let kept = 0;
  let grown = 0;
  let { headEnd, tailStart } = piece;
  for (const { kind, start, end } of findings) {
    const mark = `[secret removed: ${kind}]`;
    parts.push(piece.text.slice(kept, start), mark);
    kept = end;
    const markEnd = start + grown + mark.length;
    grown += mark.length - (end - start);
    headEnd = moved(piece.headEnd, { start, end, markEnd, grown }) ?? headEnd;
    tailStart = moved(piece.tailStart, { start, end, markEnd, grown }) ?? tailStart;
  }
  return { text: parts.join("") + piece.text.slice(kept), headEnd, tailStart };
}

/** Where a cut is after a replacement before or around it; nothing when it stands before. */
function moved(
  cut: number,
  by: {
    readonly start: number;
    readonly end: number;
    readonly markEnd: number;
    readonly grown: number;
  },
): number | undefined {
  if (cut <= by.start) return undefined;
  return cut < by.end ? by.markEnd : cut + by.grown;
}
