import type { Diagnostic } from "@caliban/common";

type MemoryNoticeCode =
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
  | "OTHER_REPOSITORY"
  | "RULES_LIMIT"
  | "RULE_DIRECTORY_SKIPPED"
  | "WALK_LIMIT"
  | "FOREIGN_REPOSITORY"
  | "INDEX_MENDED"
  | "INDEX_NOT_CHECKED"
  | "TEAM_TOPIC_REPLACED"
  | "TEAM_NOT_USED"
  | "LEARNED_NOT_USED"
  | "LEARNED_FORGOTTEN";

/** A notice for the receipt that is not about a single file, or about a file that was loaded nevertheless. */
export type MemoryNotice = Diagnostic<MemoryNoticeCode>;
