import type { CommandMessage, Diagnostic } from "@caliban/common";
import type { MemoryNotice } from "../notice.ts";
import type { FileKind, IndexScope, TierKind } from "./tier.ts";

/** What happened to a file that was considered for the prompt. */
type ReceiptStatus = "loaded" | "truncated" | "skipped" | "missing";

/** Why it happened, from a closed list. Programs and tests check the code; users read the message. */
export type ReasonCode =
  | "WHOLE"
  | "OVER_FILE_LIMIT"
  | "OVER_INDEX_LIMIT"
  | "OVER_BUDGET"
  | "NO_ROOM"
  | "ABSENT"
  | "BLANK"
  | "NOT_A_FILE"
  | "UNREADABLE"
  | "EXCLUDED"
  | "TURNED_OFF"
  | "DUPLICATE"
  | "ALREADY_LOADED"
  | "SECRET_FILE"
  | "GIT_IGNORED"
  | "NEEDS_APPROVAL"
  | "URL"
  | "BINARY"
  | "TOO_LARGE"
  | "TOO_DEEP"
  | "TOO_MANY"
  | "CYCLE"
  | "NOT_ACTIVE"
  | "BAD_HEADER";

/** One file that was considered for the prompt. */
export interface ReceiptEntry extends CommandMessage {
  readonly tier: TierKind;
  readonly kind: FileKind | "import";
  readonly path: string;
  /** `user` for the index of topics that hold in every project, `team` for that of topics that a team shares. */
  readonly scope?: IndexScope | undefined;
  /** The file that imports this one. */
  readonly importedBy?: string;
  /** Size of the file on disk; 0 when it could not be read. */
  readonly bytes: number;
  /** Cost of the rendered block in the prompt; 0 when it is not in the prompt. */
  readonly tokens: number;
  readonly status: ReceiptStatus;
  readonly reason: ReasonCode;
}

/** Why a file is not in the prompt. */
export interface NotLoaded extends Diagnostic<ReasonCode> {
  readonly status: ReceiptStatus & ("skipped" | "missing");
}

/** Memory on an MCP server: a tier that is queried on demand and never part of the prefix. */
export interface MemoryServer {
  readonly name: string;
  readonly state: "connected" | "starting" | "absent" | "known" | "unknown";
  /** How many memories the server holds; `undefined` when it has not been asked. */
  readonly memories?: number;
  /** Describes the state, with a reason where there is one. */
  readonly message: string;
}

/** Everything that was considered for the prefix, and what happened to it. Status pages print from it alone. */
export interface Receipt {
  readonly workspaceRoot: string;
  readonly entries: readonly ReceiptEntry[];
  readonly notices: readonly MemoryNotice[];
  /** The fourth tier, added by the program that is connected to the servers; left out when there are none. */
  readonly servers?: readonly MemoryServer[];
  readonly totalTokens: number;
  readonly ceilingTokens: number;
}
