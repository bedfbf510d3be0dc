import { type ScannedPiece, wholePiece } from "./scanned-piece.ts";

/** The position of something that looks like a secret; compatible with `SecretFinding` of `@caliban/common/secrets`. */
interface FoundSecret {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Finds secrets in a text, in order and without overlaps. */
export type FindSecrets = (text: string) => Promise<readonly FoundSecret[]>;

/** Pieces without secrets, and how many were removed. */
export interface RedactedPieces {
  readonly pieces: readonly ScannedPiece[];
  readonly redactedSecrets: number;
}

// Each scan has a fixed cost, so many pieces are scanned as one text. The dashes end anything that looks like a private
// key, and the line is too long to be between a name and its value.
const SEPARATOR = "\n----- another part -----\n";

/** More than any real text needs. A hostile one may reveal one secret per scan, and each scan takes time. */
const MAX_SCANS = 8;

/**
 * Replaces each secret by `[secret removed: KIND]`. A cut inside a secret moves after the mark, so that nothing of the value
 * is kept on either side. A piece in which every scan finds another secret is replaced as a whole.
 */
export async function redactPieces(
  pieces: readonly ScannedPiece[],
  findSecrets: FindSecrets,
): Promise<RedactedPieces> {
  const final = [...pieces];
  let redactedSecrets = 0;
  let scanned = pieces.map((_, at) => at);
  for (let scan = 1; scanned.length > 0; scan++) {
    const current = scanned.flatMap((at) => final[at] ?? []);
    const findings = await findSecrets(current.map(({ text }) => text).join(SEPARATOR));
    redactedSecrets += findings.length;
    const redacted = replaceIn(current, findings);
    // Scanned again, because a secret adjacent to another one is only recognizable next to the mark.
    const changed = scanned.filter((_, order) => redacted[order] !== current[order]);
    for (const [order, piece] of redacted.entries()) final[scanned[order] ?? 0] = piece;
    if (scan === MAX_SCANS) {
      for (const at of changed) final[at] = wholePiece("[secrets removed: too many to tell apart]");
      return { pieces: final, redactedSecrets };
    }
    scanned = changed;
  }
  return { pieces: final, redactedSecrets };
}

/** The findings refer to all pieces joined. */
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
    start = end + SEPARATOR.length;
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

/** The new position of a cut after a replacement before or around it; `undefined` when the cut comes first. */
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
