// Serve memory.
export { type BytePipe, createBytePipe, type PipeStreams } from "./serve/byte-pipe.ts";
export { type ClientDirectoryInput, findClientDirectory } from "./serve/client-directory.ts";
export { ServeError, type ServeErrorCode } from "./serve/serve-error.ts";
export { serveHttp, type ServeHttpInput, type ServingHttp } from "./serve/serve-http.ts";
export { serveStdio, type ServeStdioInput } from "./serve/serve-stdio.ts";
export { loadServerToken, type ServerToken } from "./serve/token-file.ts";
export { watchDirectories, type WatchInput } from "./serve/watch-directories.ts";

// Use other servers.
export type { ServerDiagnostic, ServerDiagnosticCode } from "../server-diagnostic.ts";
export { CLIENT_LIMITS, type ClientLimits } from "../client/client-limits.ts";
export type { McpServer, McpTransport, StartableServer } from "../client/mcp-server.ts";
export type { ServerListing, ServerRecord } from "../client/server-record.ts";
export {
  memoryServer,
  type ServerState,
  type ServerStatus,
  type ServerStatusInput,
} from "../client/server-status.ts";
export type { ListedTool } from "../client/tool-list.ts";
export { createRecordStore, type LoadedRecord, type RecordStore } from "./client/record-store.ts";
export {
  createServerPool,
  type OfferedTools,
  type ServerPool,
  type ServerPoolInput,
} from "./client/server-pool.ts";

// Approve servers that a repository requests.
export {
  type ApprovalAnswer,
  type ApprovalQuestion,
  type AskApproval,
  type ExaminedRequest,
  type PathDisplay,
  type QuestionRow,
  questionRows,
  questionTitle,
  questionWarning,
  renderQuestion,
} from "../trust/approval-question.ts";
export type {
  ResolvedServer,
  ResolvedServers,
  ServerConfig,
  ServerEntry,
  UnusableServer,
} from "../trust/server-entry.ts";
export { visibleText, visibleWord } from "../trust/visible-text.ts";
export {
  type ApprovedServers,
  approveServers,
  type ApproveServersInput,
} from "./trust/approve-servers.ts";
export { examineRequest } from "./trust/examine-request.ts";
export { resolveServers, type ResolveServersInput } from "./trust/resolve-servers.ts";
export { createServerApprovals, type ServerApprovals } from "./trust/server-approvals.ts";
export { findWatchedFiles, type WatchedFile, type WatchedFiles } from "./trust/watched-files.ts";
