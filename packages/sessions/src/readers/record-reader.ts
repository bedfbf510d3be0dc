import { isJsonObject, type JsonObject, parseJson } from "../json-value.ts";
import type { SessionMessage } from "../session-message.ts";
import type { SkippedCounts, TranscriptFacts } from "./transcript-facts.ts";
import type { TranscriptReader } from "./transcript-reader.ts";

/** What a format's reader finds out on its way, and what it could not read. */
export interface ReadingState {
  sessionId: string | undefined;
  cwd: string | undefined;
  startedAt: string | undefined;
  optedOut: boolean;
  isSubAgent: boolean;
  readonly skipped: { -readonly [Key in keyof SkippedCounts]: SkippedCounts[Key] };
}

/** A reader of lines that each hold one JSON object, of which the format makes messages. */
export function createRecordReader(
  messagesIn: (record: JsonObject, state: ReadingState) => readonly SessionMessage[],
): TranscriptReader {
  const state = beginReading();
  return {
    readLine: (line) => {
      if (line.trim() === "") return [];
      const record = parseJson(line);
      if (isJsonObject(record)) return messagesIn(record, state);
      state.skipped.damagedLines++;
      return [];
    },
    skipLine: () => void state.skipped.longLines++,
    facts: () => factsOf(state),
  };
}

export function beginReading(): ReadingState {
  return {
    sessionId: undefined,
    cwd: undefined,
    startedAt: undefined,
    optedOut: false,
    isSubAgent: false,
    skipped: { damagedLines: 0, longLines: 0, unknownRecords: 0, unknownParts: 0 },
  };
}

/** As it is now: what is read later does not change it. */
export function factsOf(state: ReadingState): TranscriptFacts {
  return { ...state, skipped: { ...state.skipped } };
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
