export { type AnsweredCalls, answerCalls } from "./answered-calls.ts";
export type { SessionDiagnostic, SessionDiagnosticCode } from "./diagnostic.ts";
export { SessionsError, type SessionsErrorCode } from "./errors.ts";
export { exportMarkdown } from "./export-markdown.ts";
export type { JsonObject, JsonValue } from "./json-value.ts";
export type { KnownBefore, SkippedCounts, TranscriptFacts } from "./readers/transcript-facts.ts";
export {
  createTranscriptReader,
  type ReadTranscript,
  readMessages,
  type TranscriptFormat,
  type TranscriptReader,
} from "./readers/transcript-reader.ts";
export {
  type CompactedRecord,
  FORMAT_VERSION,
  type MessageRecord,
  type ModelRecord,
  type NameRecord,
  type NewRecord,
  type NoticeRecord,
  renderRecord,
  type ResumedRecord,
  type SessionRecord,
  type SessionStart,
  type TurnEndRecord,
} from "./record.ts";
export { type ReplayedSession, replay } from "./replay.ts";
export { createSessionId, isSessionId, parseSessionId, type SessionId } from "./session-id.ts";
export type {
  SessionAssistantMessage,
  SessionMessage,
  SessionMetadata,
  SessionPart,
  SessionReasoningPart,
  SessionTextPart,
  SessionToolCall,
  SessionToolMessage,
  SessionToolResult,
  SessionUsage,
  SessionUserMessage,
} from "./session-message.ts";
export { parseSessionName } from "./session-name.ts";
export type { SpokenTurn } from "./spoken-turn.ts";
export { titleOf } from "./title.ts";
export { parseTranscript, type Transcript } from "./transcript.ts";
export { parseTranscriptPosition, type TranscriptPosition } from "./transcript-position.ts";
