import { parseJson } from "@caliban/common";
import { isJsonObject, type JsonObject } from "../record/json-value.ts";
import type { SessionMessage } from "../record/session-message.ts";
import type {
  ReaderContext,
  SkippedCounts,
  TranscriptFacts,
  TranscriptReader,
} from "./transcript-reader.ts";

/** What a reader has found out so far, and what it could not read. */
export interface ReadingState {
  sessionId: string | undefined;
  cwd: string | undefined;
  startedAt: string | undefined;
  optedOut: boolean;
  isSubAgent: boolean;
  carried: number;
  writtenAt: string | undefined;
  readonly skipped: { -readonly [Key in keyof SkippedCounts]: SkippedCounts[Key] };
}

/** A reader for formats with one JSON object per line. */
export function createRecordReader(
  messagesIn: (record: JsonObject, state: ReadingState) => readonly SessionMessage[],
  known?: ReaderContext,
): TranscriptReader {
  const state = createReadingState(known);
  return {
    readLine: (line) => {
      if (line.trim() === "") return [];
      const record = parseJson(line);
      if (isJsonObject(record)) {
        state.writtenAt = textIn(record, "timestamp");
        return messagesIn(record, state);
      }
      state.skipped.damagedLines++;
      return [];
    },
    ...commonMethods(state),
  };
}

export function createReadingState(known?: ReaderContext): ReadingState {
  return {
    sessionId: known?.sessionId,
    cwd: undefined,
    startedAt: undefined,
    optedOut: known?.optedOut ?? false,
    isSubAgent: known?.isSubAgent ?? false,
    carried: known?.carried ?? 0,
    writtenAt: undefined,
    skipped: { damagedLines: 0, longLines: 0, unknownRecords: 0, unknownParts: 0 },
  };
}

/** The methods that all readers share. They return snapshots, which later lines do not change. */
export function commonMethods(
  state: ReadingState,
): Pick<TranscriptReader, "skipLine" | "facts" | "writtenAt" | "known"> {
  return {
    skipLine: () => void state.skipped.longLines++,
    facts: () => factsOf(state),
    writtenAt: () => state.writtenAt,
    known: () => {
      const { sessionId, optedOut, isSubAgent, carried } = state;
      return { sessionId, optedOut, isSubAgent, carried };
    },
  };
}

function factsOf(state: ReadingState): TranscriptFacts {
  const { sessionId, cwd, startedAt, optedOut, isSubAgent, skipped } = state;
  return { sessionId, cwd, startedAt, optedOut, isSubAgent, skipped: { ...skipped } };
}

/** A non-empty text. */
export function textIn(value: JsonObject, key: string): string | undefined {
  const text = value[key];
  return typeof text === "string" && text !== "" ? text : undefined;
}

export function objectIn(value: JsonObject, key: string): JsonObject | undefined {
  const item = value[key];
  return isJsonObject(item) ? item : undefined;
}
