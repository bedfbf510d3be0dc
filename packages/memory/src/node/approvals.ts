import { readTextFile } from "@caliban/common/node";
import { type Approval, type Approvals, isApproved, parseApprovals, type ApprovalKind } from "../project/approvals.ts";
import { approvalsPath } from "./prompt/load-memory.ts";
import type { ResolvedEnvironment } from "./project/identity.ts";

const MAX_APPROVAL_BYTES = 4 * 1024 * 1024;

/** What a person approved, in one file of the state home. */
export interface ApprovalStore {
  readonly isApproved: (approval: Approval) => Promise<boolean>;
  /** @throws MemoryError `APPROVALS_DAMAGED` rather than writing over a file that cannot be read. */
  readonly add: (approval: Approval) => Promise<void>;
  /** Whether the file was found damaged, once it was looked at. */
  readonly wasDamaged: () => boolean;
}

/** The file is read when the first external file asks for it, and not before. */
export function createApprovalStore(path: string | undefined): ApprovalStore {
  let known: Promise<Approvals> | undefined;
  let isDamaged = false;
  return {
    isApproved: async (approval) => {
      known ??= readApprovals(path);
      const { approvals, isValid: isSound } = await known;
      isDamaged ||= !isSound;
      return isApproved(approvals, approval);
    },
    add: async (approval) => {
      if (path === undefined) return;
      // Writing is rare, and its modules are not small.
      const { addApproval } = await import("./change-approvals.ts");
      await addApproval(path, approval);
    },
    wasDamaged: () => isDamaged,
  };
}

/** Everything approved so far; no file is nothing approved. */
export async function readApprovals(path: string | undefined): Promise<Approvals> {
  const file = path === undefined ? undefined : await readTextFile(path, MAX_APPROVAL_BYTES);
  if (file === undefined || file.kind === "missing") return { approvals: [], isValid: true };
  if (file.kind !== "text") return { approvals: [], isValid: false };
  return parseApprovals(file.text);
}

export interface KeptApprovalsInput extends ResolvedEnvironment {
  /** The real path of the workspace: what is approved in one holds in no other. */
  readonly workspaceRoot: string;
}

/** What a person approved, as a list of one kind in one workspace. */
export interface KeptApprovals {
  /** Whether there is a home to keep anything in. */
  readonly isKept: boolean;
  readonly isApproved: (subject: string, sha256: string) => Promise<boolean>;
  readonly approve: (subject: string, sha256: string) => Promise<void>;
  readonly list: () => Promise<{
    readonly approvals: readonly Approval[];
    readonly isSound: boolean;
  }>;
  readonly forget: (isMeant: (approval: Approval) => boolean) => Promise<boolean>;
}

/** The approvals of one kind in one workspace. */
export function createKeptApprovals(kind: ApprovalKind, input: KeptApprovalsInput): KeptApprovals {
  const path = approvalsPath(input);
  const { workspaceRoot: workspace } = input;
  const isOurs = (approval: Approval): boolean =>
    approval.workspace === workspace && approval.kind === kind;
  return {
    isKept: path !== undefined,
    // Read anew each time, because another session may have been asked meanwhile.
    isApproved: (subject, sha256) =>
      createApprovalStore(path).isApproved({ workspace, kind, subject, sha256 }),
    approve: (subject, sha256) =>
      createApprovalStore(path).add({ workspace, kind, subject, sha256 }),
    list: async () => {
      const { approvals, isValid: isSound } = await readApprovals(path);
      return { approvals: approvals.filter(isOurs), isSound };
    },
    forget: async (isMeant) => {
      if (path === undefined) return false;
      const { removeApprovals } = await import("./change-approvals.ts");
      return await removeApprovals(path, (approval) => isOurs(approval) && isMeant(approval));
    },
  };
}
