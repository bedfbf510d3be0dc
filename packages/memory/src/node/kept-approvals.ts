import type { Approval, ApprovalKind } from "../project/approvals.ts";
import { createApprovalStore, readApprovals } from "./approvals.ts";
import { approvalsPath } from "./load-memory.ts";
import type { PlaceInput } from "./project/identity.ts";

export interface KeptApprovalsInput extends PlaceInput {
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
      const { approvals, isSound } = await readApprovals(path);
      return { approvals: approvals.filter(isOurs), isSound };
    },
    forget: async (isMeant) => {
      if (path === undefined) return false;
      const { removeApprovals } = await import("./change-approvals.ts");
      return await removeApprovals(path, (approval) => isOurs(approval) && isMeant(approval));
    },
  };
}
