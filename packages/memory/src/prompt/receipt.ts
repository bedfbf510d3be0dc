import type { FileKind, TierKind } from "./tier.ts";

/** What became of a file that was considered for the prompt. */
export type ReceiptStatus = "loaded" | "truncated" | "skipped" | "missing";

/** Why, from a closed list: programs and tests look at the code, people read the sentence. */
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
  | "DECLINED"
  | "URL"
  | "BINARY"
  | "TOO_LARGE"
  | "TOO_DEEP"
  | "TOO_MANY"
  | "CYCLE"
  | "NOT_ACTIVE"
  | "BAD_HEADER";

export interface ReceiptEntry {
  readonly tier: TierKind;
  readonly kind: FileKind | "import";
  readonly path: string;
  /** The file that asked for this one. */
  readonly importedBy?: string;
  /** Size of the file on disk; 0 when it could not be read. */
  readonly bytes: number;
  /** What the rendered block costs in the prompt; 0 when it is not there. */
  readonly tokens: number;
  readonly status: ReceiptStatus;
  readonly reason: ReasonCode;
  readonly message: string;
}

/** Something that concerns no single file, or that happened to a file that was loaded all the same. */
export interface MemoryNotice {
  readonly code:
    | "VARIABLE_IGNORED"
    | "HOME_NOT_SET"
    | "HOME_UNKNOWN"
    | "INVALID_UTF8"
    | "OPEN_COMMENT"
    | "IMPORT_NOT_EXPANDED"
    | "APPROVALS_DAMAGED"
    | "APPROVAL_NOT_KEPT"
    | "WORKTREE_UNPROVEN"
    | "MOVED_REPOSITORY"
    | "RULES_LIMIT"
    | "RULE_DIRECTORY_SKIPPED"
    | "WALK_LIMIT"
    | "FOREIGN_REPOSITORY"
    | "INDEX_MENDED"
    | "INDEX_NOT_CHECKED"
    | "LEARNED_NOT_USED";
  readonly message: string;
}

/** Memory behind a server: a tier that is looked at on demand, and never a part of the prefix. */
export interface MemoryServer {
  readonly name: string;
  readonly state: "connected" | "starting" | "absent" | "known" | "unknown";
  /** How many memories it has, where it was asked. */
  readonly memories?: number;
  /** The state in words, with a reason where there is one. */
  readonly message: string;
}

/** Everything that was considered for the prefix, and what became of it. Status pages print from it alone. */
export interface Receipt {
  readonly workspaceRoot: string;
  readonly entries: readonly ReceiptEntry[];
  readonly notices: readonly MemoryNotice[];
  /** The fourth tier, as whoever speaks with servers knows it; left out where there is none. */
  readonly servers?: readonly MemoryServer[];
  readonly totalTokens: number;
  readonly ceilingTokens: number;
}
