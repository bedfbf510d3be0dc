import { type Approval, isApproved } from "../approvals.ts";
import { createApprovalStore, readApprovals } from "./approval-store.ts";
import { approvalsPath } from "./load-memory.ts";
import type { PlaceInput } from "./project-identity.ts";
import { sha256Hex } from "./sha256-hex.ts";

export interface PermissionApprovalsInput extends PlaceInput {
  /** The real path of the workspace: what is approved in one holds in no other. */
  readonly workspaceRoot: string;
}

/** Calls that a person answered "always" to. */
export interface KeptPermissions {
  /** A file that cannot be read approves nothing. */
  readonly isApproved: (subject: string) => Promise<boolean>;
  /** @throws MemoryError `APPROVALS_DAMAGED` or `UNWRITABLE` */
  readonly approve: (subject: string) => Promise<void>;
  /** Everything that was answered so in this workspace. */
  readonly list: () => Promise<readonly string[]>;
  /**
   * Takes one back; false when there is none.
   * @throws MemoryError like `approve`
   */
  readonly forget: (subject: string) => Promise<boolean>;
}

/** Keeps permissions beside the approved imports, for the tool runner of `@caliban/agent-core`. */
export function createPermissionApprovals(input: PermissionApprovalsInput): KeptPermissions {
  const path = approvalsPath(input);
  const approvalOf = (subject: string): Approval => ({
    workspace: input.workspaceRoot,
    kind: "permission",
    subject,
    sha256: sha256Hex(subject),
  });
  return {
    // Read anew each time, because another session may have been asked meanwhile.
    isApproved: (subject) => createApprovalStore(path).isApproved(approvalOf(subject)),
    approve: (subject) => createApprovalStore(path).add(approvalOf(subject)),
    list: async () => {
      const { approvals } = await readApprovals(path);
      const ours = approvals.filter((approval) =>
        isApproved([approval], approvalOf(approval.subject)),
      );
      return ours.map(({ subject }) => subject);
    },
    forget: async (subject) => {
      if (path === undefined) return false;
      const { removeApproval } = await import("./change-approvals.ts");
      return await removeApproval(path, approvalOf(subject));
    },
  };
}
