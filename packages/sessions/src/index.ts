export { type RepairedConversation, repairToolCalls } from "./transcript/repair-tool-calls.ts";
export type { SessionDiagnostic, SessionDiagnosticCode } from "./diagnostic.ts";
export { isSessionsError, SessionsError, type SessionsErrorCode } from "./errors.ts";
export { exportMarkdown } from "./transcript/export-markdown.ts";
export type { JsonObject, JsonValue } from "./record/json-value.ts";
export {
  type ReaderContext,
  type SkippedCounts,
  type TranscriptFacts,
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
  type RewoundRecord,
  type RewoundWhat,
  type SessionRecord,
  type SessionStart,
  type TurnEndRecord,
} from "./record/record.ts";
export type { SessionEvent } from "./record/session-event.ts";
export { type ReplayedSession, replay } from "./transcript/replay.ts";
export {
  createSessionId,
  isSessionId,
  parseSessionId,
  type SessionId,
} from "./identity/session-id.ts";
export type {
  SessionAssistantMessage,
  SessionAttachment,
  SessionImage,
  SessionImageAttachment,
  SessionMessage,
  SessionMetadata,
  SessionPart,
  SessionReasoningPart,
  SessionTextAttachment,
  SessionTextPart,
  SessionToolCall,
  SessionToolMessage,
  SessionToolResult,
  SessionUsage,
  SessionUserMessage,
} from "./record/session-message.ts";
export { parseSessionName } from "./identity/session-name.ts";
export type { SpokenTurn, StreamedTurn } from "./readers/spoken-turn.ts";
export { titleOf } from "./identity/title.ts";
export type { RewindPoint, Timeline, TimelinePosition } from "./transcript/timeline.ts";
export { parseTranscript, type Transcript } from "./transcript/transcript.ts";
export { parseTranscriptPosition, type TranscriptPosition } from "./readers/transcript-position.ts";
