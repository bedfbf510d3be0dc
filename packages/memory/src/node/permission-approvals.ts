import type { Approval } from "../project/approvals.ts";
import { openApprovals, type OpenApprovalsInput } from "./approvals.ts";
import { sha256Hex } from "./sha256-hex.ts";

/** Where permissions are kept, and for which workspace. */
export type PermissionApprovalsInput = OpenApprovalsInput;

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
  const kept = openApprovals("permission", input);
  return {
    isApproved: (subject) => kept.isApproved(subject, sha256Hex(subject)),
    approve: (subject) => kept.approve(subject, sha256Hex(subject)),
    list: async () => (await kept.list()).approvals.filter(isWhole).map(({ subject }) => subject),
    forget: (subject) =>
      kept.remove((approval) => approval.subject === subject && isWhole(approval)),
  };
}

function isWhole({ subject, sha256 }: Approval): boolean {
  return sha256 === sha256Hex(subject);
}
