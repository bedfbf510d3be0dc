// Serve memory.
export { type BytePipe, createBytePipe, type PipeStreams } from "./serve/byte-pipe.ts";
export { type ClientDirectoryInput, findClientDirectory } from "./serve/client-directory.ts";
export { isServeError, ServeError, type ServeErrorCode } from "./serve/serve-error.ts";
export { serveHttp, type ServeHttpInput, type ServingHttp } from "./serve/serve-http.ts";
export { serveStdio, type ServeStdioInput } from "./serve/serve-stdio.ts";
export { loadServerToken, type ServerToken } from "./serve/token-file.ts";
export { watchDirectories, type WatchInput } from "./serve/watch-directories.ts";

// Use other servers.
export type { ServerDiagnostic, ServerDiagnosticCode } from "../server-diagnostic.ts";
export { CLIENT_LIMITS, type ClientLimits } from "../client/client-limits.ts";
export type { McpServer, McpTransport, StartableServer } from "../client/mcp-server.ts";
export type { ServerSkill } from "../client/skill-list.ts";
export type { ServerStatus } from "../client/server-status.ts";
export {
  type ConversationServers,
  type ConversationServersInput,
  createConversationServers,
  type OpenedServers,
} from "./client/conversation-servers.ts";
export { recordedMemoryServers, type RecordedServersInput } from "./client/record-store.ts";
export {
  createServerPool,
  type OfferedTools,
  type ServerPool,
  type ServerPoolInput,
} from "./client/server-pool.ts";

// Log in to servers.
export { logIn, type LogInInput } from "./login/log-in.ts";
export { isLoginError, LoginError, type LoginErrorCode } from "./login/login-error.ts";
export {
  createLoginStore,
  type LoginStore,
  type LoginStoreInput,
  type StoredLogin,
} from "./login/login-store.ts";

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
export {
  type ApprovedServers,
  approveServers,
  type ApproveServersInput,
  findApprovalQuestion,
} from "./trust/approve-servers.ts";
export {
  type ConfiguredServers,
  resolveServers,
  type ResolveServersInput,
} from "./trust/resolve-servers.ts";
export type { ServerApprovals } from "./trust/server-approvals.ts";
export {
  type ServerStanding,
  type ServerSummary,
  summarizeServers,
} from "./trust/summarize-servers.ts";
