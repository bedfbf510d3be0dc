import { terminalSafeLine } from "@caliban/common";
import { withFileLock, writeFileAtomic } from "@caliban/common/node";
import { type Approval, isApproved, renderApprovals } from "../project/approvals.ts";
import { MemoryError } from "../errors.ts";
import { readApprovals } from "./approvals.ts";
import { reportUnwritable } from "./report-unwritable.ts";

/** @throws MemoryError `APPROVALS_DAMAGED` rather than writing over what cannot be read; `UNWRITABLE` */
export async function addApproval(path: string, approval: Approval): Promise<void> {
  await changeApprovals(path, (approvals) =>
    isApproved(approvals, approval) ? approvals : [...approvals, approval],
  );
}

/**
 * Whether there was one that is meant.
 * @throws MemoryError like adding one
 */
export async function removeApprovals(
  path: string,
  isMeant: (approval: Approval) => boolean,
): Promise<boolean> {
  return await changeApprovals(path, (approvals) => approvals.filter((kept) => !isMeant(kept)));
}

type ApprovalList = readonly Approval[];

/** Whether the list is another one by now. */
async function changeApprovals(
  path: string,
  change: (approvals: ApprovalList) => ApprovalList,
): Promise<boolean> {
  return await reportUnwritable(path, () =>
    withFileLock(path, async () => {
      const { approvals, isSound } = await readApprovals(path);
      if (!isSound) throw damaged(path);
      const changed = change(approvals);
      if (changed.length === approvals.length) return false;
      await writeFileAtomic(path, renderApprovals(changed));
      return true;
    }),
  );
}

function damaged(path: string): MemoryError {
  const sentence = `${terminalSafeLine(path)} is damaged, so nothing is approved and nothing is written to it; mend it or move it away`;
  return new MemoryError("APPROVALS_DAMAGED", sentence);
}
