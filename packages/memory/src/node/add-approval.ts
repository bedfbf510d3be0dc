import { terminalSafeLine } from "@caliban/common";
import { withFileLock, writeFileAtomic } from "@caliban/common/node";
import { type Approval, isApproved, renderApprovals } from "../approvals.ts";
import { MemoryError } from "../errors.ts";
import { readApprovals } from "./approval-store.ts";
import { reportUnwritable } from "./report-unwritable.ts";

/** @throws MemoryError `APPROVALS_DAMAGED` rather than writing over what cannot be read; `UNWRITABLE` */
export async function addApproval(path: string, approval: Approval): Promise<void> {
  await reportUnwritable(path, () =>
    withFileLock(path, async () => {
      const { approvals, isSound } = await readApprovals(path);
      if (!isSound) throw damaged(path);
      if (isApproved(approvals, approval)) return;
      await writeFileAtomic(path, renderApprovals([...approvals, approval]));
    }),
  );
}

function damaged(path: string): MemoryError {
  const sentence = `${terminalSafeLine(path)} is damaged, so nothing is approved and nothing is written to it; mend it or move it away`;
  return new MemoryError("APPROVALS_DAMAGED", sentence);
}
