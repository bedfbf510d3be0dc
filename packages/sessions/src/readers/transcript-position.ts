import { isJsonObject } from "../record/json-value.ts";
import type { ReaderContext } from "./transcript-reader.ts";

/** How far a transcript was read, and what is needed to continue there. Can be stored as JSON. */
export interface TranscriptPosition {
  /** Everything before this offset was read; a line begins here. */
  readonly byte: number;
  /** The size of the file. */
  readonly size: number;
  /** Identifies the file. */
  readonly inode: number;
  /** A fingerprint of the bytes before: if it differs, the file was rewritten. */
  readonly print: string;
  readonly known: ReaderContext;
  /** Whether the agent had used a tool since the user's last message. */
  readonly isTainted: boolean;
  /** The files that tools used since the last turn. */
  readonly touched: readonly string[];
}

/** Parses a stored position; `undefined` when it is invalid. */
export function parseTranscriptPosition(value: unknown): TranscriptPosition | undefined {
  if (!isJsonObject(value)) return undefined;
  const { byte, size, inode, print, known, isTainted, touched } = value;
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
    // A position of an older version says nothing about it.
    isTainted: isTainted !== false,
    touched: Array.isArray(touched) ? touched.filter((path) => typeof path === "string") : [],
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
