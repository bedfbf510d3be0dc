export {
  createSessionWriter,
  type SessionFacts,
  type SessionWriterInput,
} from "./create-session-writer.ts";
export { findSession } from "./find-session.ts";
export {
  listSessions,
  type SessionFile,
  sessionFiles,
  type SessionList,
  type SessionSummary,
  summarizeSession,
} from "./list-sessions.ts";
export { readSession } from "./read-session.ts";
export { removeSession } from "./remove-session.ts";
export { type ResumedSession, resumeSession, type ResumeSessionInput } from "./resume-session.ts";
export {
  createSessionLogs,
  type SessionLog,
  type SessionLogs,
  type SessionLogsInput,
  type SessionRequest,
} from "./session-logs.ts";
export {
  identifyTranscript,
  isOptedOut,
  streamMessages,
  type TranscriptFile,
} from "./stream-messages.ts";
export {
  readTurnAt,
  type StreamedTurns,
  streamTurns,
  type StreamTurnsInput,
} from "./stream-turns.ts";
export type { SessionWriter, WriterDependencies } from "./session-writer.ts";
