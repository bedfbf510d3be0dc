import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import { checkArguments } from "../check-arguments.ts";
import {
  type Approval,
  type ApprovalKind,
  type ApprovalList,
  isApproved,
  parseApprovals,
} from "../project/approvals.ts";
import {
  type EnvironmentOptions,
  resolveEnvironment,
  type ResolvedEnvironment,
} from "./project/environment.ts";
import { sha256Hex } from "./sha256-hex.ts";

const MAX_APPROVAL_BYTES = 4 * 1024 * 1024;

export interface OpenApprovalsInput extends EnvironmentOptions {
  /** The real path of the workspace. An approval in one workspace does not apply to another. */
  readonly workspaceRoot: string;
}

/**
 * The approvals of one kind in one workspace. Without a fingerprint, the subject itself is what was approved.
 * Changes throw a MemoryError: `APPROVALS_DAMAGED` rather than overwriting a file that cannot be read, `UNWRITABLE`, or
 * `SECRET_FOUND` for a permission whose subject contains a secret.
 */
export interface WorkspaceApprovals {
  /** Whether approvals can be stored; false when no home directory is known. */
  readonly isPersistent: boolean;
  readonly isApproved: (subject: string, sha256?: string) => Promise<boolean>;
  readonly approve: (subject: string, sha256?: string) => Promise<void>;
  readonly list: () => Promise<ApprovalList>;
  /** Removes every approval that matches; false when there was none. */
  readonly remove: (matches: (approval: Approval) => boolean) => Promise<boolean>;
}

/**
 * Opens the approvals of one kind in one workspace. They are in a file of the user's state directory.
 *
 * @example
 * import { openApprovals } from "@caliban/memory/node";
 *
 * const env = { HOME: process.cwd() };
 * const approvals = openApprovals("permission", { workspaceRoot: process.cwd(), env });
 * await approvals.approve("shell: git status");
 * console.log(await approvals.isApproved("shell: git status")); // true
 */
export function openApprovals(kind: ApprovalKind, input: OpenApprovalsInput): WorkspaceApprovals {
  checkArguments("openApprovals", { ...input, kind }, { kind: "string", workspaceRoot: "string" });
  const path = approvalsPath(resolveEnvironment(input));
  const { workspaceRoot: workspace } = input;
  const isIncluded = (approval: Approval): boolean =>
    approval.workspace === workspace && approval.kind === kind;
  return {
    isPersistent: path !== undefined,
    // The file is read again each time, because another session may have changed it.
    isApproved: async (subject, sha256 = sha256Hex(subject)) => {
      const { approvals } = readApprovals(path);
      return isApproved(approvals, { workspace, kind, subject, sha256 });
    },
    approve: async (subject, sha256 = sha256Hex(subject)) =>
      await storeApproval(path, { workspace, kind, subject, sha256 }),
    list: async () => {
      const { approvals, isValid } = readApprovals(path);
      return { approvals: approvals.filter(isIncluded), isValid };
    },
    remove: async (matches) => {
      if (path === undefined) return false;
      const { removeApprovals } = await import("./change-approvals.ts");
      return await removeApprovals(path, (approval) => isIncluded(approval) && matches(approval));
    },
  };
}

/** Where approvals are stored; `undefined` when no home directory is known. */
export function approvalsPath(environment: ResolvedEnvironment): string | undefined {
  const { state } = userDirectories(environment);
  return state && join(state, "approvals.json");
}

/** Reads everything approved so far, which is nothing when the file is missing. */
export function readApprovals(path: string | undefined): ApprovalList {
  const file = path === undefined ? undefined : readTextFile(path, MAX_APPROVAL_BYTES);
  if (file === undefined || file.kind === "missing") return { approvals: [], isValid: true };
  if (file.kind !== "text") return { approvals: [], isValid: false };
  return parseApprovals(file.text);
}

/** Does nothing when no home directory is known. */
export async function storeApproval(path: string | undefined, approval: Approval): Promise<void> {
  if (path === undefined) return;
  // Loaded only when an approval is stored: writing brings in the lock and the durable writer.
  const { addApproval } = await import("./change-approvals.ts");
  await addApproval(path, approval);
}
