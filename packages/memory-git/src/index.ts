// The error that every entry throws.
export { isTeamError, TeamError, type TeamErrorCode } from "./errors.ts";

// Team: what is shared, with whom, and what happened to it.
export type { TeamAuthor } from "./team/author.ts";
export type {
  RefusalCode,
  RefusedEntry,
  SharedTopic,
  TeamConflict,
  TeamLogEntry,
  TopicAction,
  TopicChange,
  WaitingChange,
} from "./team/changes.ts";
export { TEAM_LIMITS, type TeamLimits } from "./team/limits.ts";
export type {
  SyncedResult,
  SyncResult,
  TeamStatus,
  UnsentChange,
  UnusableCode,
} from "./team/sync-result.ts";
export type { LogInput, SyncInput, Team, TopicFile } from "./team/team.ts";

// Merge: three versions of a topic to one.
export { type MergedTopic, mergeTopics, type TopicVersions } from "./merge/merge-topics.ts";
