import { isJsonObject, type JsonObject, parseJson } from "../json-value.ts";
import type { SessionMessage } from "../session-message.ts";
import type { KnownBefore, SkippedCounts, TranscriptFacts } from "./transcript-facts.ts";
import type { TranscriptReader } from "./transcript-reader.ts";

/** What a format's reader finds out on its way, and what it could not read. */
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

/** A reader of lines that each hold one JSON object, of which the format makes messages. */
export function createRecordReader(
  messagesIn: (record: JsonObject, state: ReadingState) => readonly SessionMessage[],
  known?: KnownBefore,
): TranscriptReader {
  const state = beginReading(known);
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
    ...endOfReader(state),
  };
}

export function beginReading(known?: KnownBefore): ReadingState {
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

/** What every reader does the same way. What it says is as of now: what is read later does not change it. */
export function endOfReader(
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

/** A text that is there and has something in it. */
export function textIn(value: JsonObject, key: string): string | undefined {
  const text = value[key];
  return typeof text === "string" && text !== "" ? text : undefined;
}

export function objectIn(value: JsonObject, key: string): JsonObject | undefined {
  const item = value[key];
  return isJsonObject(item) ? item : undefined;
}
