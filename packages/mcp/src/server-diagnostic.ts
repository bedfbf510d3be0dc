import type { Diagnostic } from "@caliban/common";

/** What can be reported about a configured server. */
export type ServerDiagnosticCode =
  | "SERVER_UNUSABLE"
  | "SERVER_NOT_APPROVED"
  | "SERVER_CHANGED"
  | "SERVER_DECLINED"
  | "SERVER_INCOMPLETE"
  | "APPROVAL_NOT_SAVED"
  | "SERVER_FAILED"
  | "RECORD_DAMAGED"
  | "RECORD_NOT_SAVED"
  | "TOOLS_NOT_LOADED"
  | "TOOLS_CHANGED"
  | "TOOL_RENAMED"
  | "TOOL_LEFT_OUT";

/** A problem or a notice about one server. The message is safe to print and does not repeat the server's name. */
export interface ServerDiagnostic extends Diagnostic<ServerDiagnosticCode> {
  readonly server: string;
}
