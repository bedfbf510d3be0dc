import { readTextFile } from "@caliban/common/node";
import { type Approval, type Approvals, isApproved, parseApprovals } from "../project/approvals.ts";

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
      const { approvals, isSound } = await known;
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
  if (file === undefined || file.kind === "missing") return { approvals: [], isSound: true };
  if (file.kind !== "text") return { approvals: [], isSound: false };
  return parseApprovals(file.text);
}
