import { terminalSafeLine } from "@caliban/common";
import { readTextFile, withFileLock, writeFileAtomic } from "@caliban/common/node";
import {
  type Approval,
  type Approvals,
  isApproved,
  parseApprovals,
  renderApprovals,
} from "../approvals.ts";
import { MemoryError } from "../errors.ts";

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
      await withFileLock(path, async () => {
        const { approvals, isSound } = await readApprovals(path);
        if (!isSound) throw damaged(path);
        if (isApproved(approvals, approval)) return;
        await writeFileAtomic(path, renderApprovals([...approvals, approval]));
      });
    },
    wasDamaged: () => isDamaged,
  };
}

async function readApprovals(path: string | undefined): Promise<Approvals> {
  const file = path === undefined ? undefined : await readTextFile(path, MAX_APPROVAL_BYTES);
  if (file === undefined || file.kind === "missing") return { approvals: [], isSound: true };
  if (file.kind !== "text") return { approvals: [], isSound: false };
  return parseApprovals(file.text);
}

function damaged(path: string): MemoryError {
  const sentence = `${terminalSafeLine(path)} is damaged, so nothing is approved and nothing is written to it; mend it or move it away`;
  return new MemoryError("APPROVALS_DAMAGED", sentence);
}
