import { isJsonObject } from "./json-value.ts";
import type { KnownBefore } from "./readers/transcript-facts.ts";

/** How far a transcript was read, and what it takes to read on from there. It can be kept as JSON. */
export interface TranscriptPosition {
  /** Everything before it was read; a line begins there. */
  readonly byte: number;
  /** How long the file was. */
  readonly size: number;
  /** Which file it was. */
  readonly inode: number;
  /** Stands for the bytes before: where they are others, the file is not what it was. */
  readonly print: string;
  readonly known: KnownBefore;
}

/** Reads what was kept; `undefined` for what is no position. */
export function parseTranscriptPosition(value: unknown): TranscriptPosition | undefined {
  if (!isJsonObject(value)) return undefined;
  const { byte, size, inode, print, known } = value;
  if (!isCount(byte) || !isCount(size)) return undefined;
  if (typeof inode !== "number" || typeof print !== "string") return undefined;
  if (!isJsonObject(known)) return undefined;
  const { sessionId, optedOut, isSubAgent, carried } = known;
  if (!isCount(carried)) return undefined;
  return {
    byte,
    size,
    inode,
    print,
    known: {
      sessionId: typeof sessionId === "string" ? sessionId : undefined,
      optedOut: optedOut === true,
      isSubAgent: isSubAgent === true,
      carried,
    },
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
