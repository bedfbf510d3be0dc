import { createQueue } from "@caliban/common";
import { isMemoryError } from "../../errors.ts";
import { type Approval, type ApprovalList, isApproved } from "../../project/approvals.ts";
import type { MemoryNotice } from "../../notice.ts";
import { readApprovals, storeApproval } from "../approvals.ts";

/** The user's answer about one external file: this time, from now on, or no. */
export type ApprovalAnswer = "once" | "always" | "no";

export interface ImportApprovalsInput {
  /** The file of stored approvals; `undefined` when no home directory is known. */
  readonly path: string | undefined;
  /** Whether every external file is approved in this run. */
  readonly approveAll: boolean;
  /** Asks the user. Without it the answer is no. */
  readonly ask?: ((approval: Approval) => Promise<ApprovalAnswer>) | undefined;
}

/** Decides about files outside the workspace. */
export interface ImportApprovals {
  /** Whether a file was approved before, without asking. */
  readonly isApproved: (approval: Approval) => Promise<boolean>;
  /** Whether a file is approved now. The user is asked unless the answer is already known. */
  readonly request: (approval: Approval) => Promise<boolean>;
  /** What went wrong with stored approvals so far. */
  readonly notices: () => readonly MemoryNotice[];
}

/** The file of approvals is not read before the first external file. */
export function createImportApprovals(input: ImportApprovalsInput): ImportApprovals {
  const { path, approveAll } = input;
  let stored: ApprovalList | undefined;
  const notStored: MemoryNotice[] = [];

  function wasApproved(approval: Approval): boolean {
    stored ??= readApprovals(path);
    return isApproved(stored.approvals, approval) || approveAll;
  }

  const ask = askOnce(input.ask ?? deny);
  return {
    isApproved: async (approval) => wasApproved(approval),
    request: async (approval) => {
      if (wasApproved(approval)) return true;
      const answer = await ask(approval);
      if (answer === "always") notStored.push(...(await keep(path, approval)));
      return answer !== "no";
    },
    notices: () => (stored?.isValid === false ? [DAMAGED, ...notStored] : notStored),
  };
}

type Ask = (approval: Approval) => Promise<ApprovalAnswer>;

async function deny(): Promise<ApprovalAnswer> {
  return "no";
}

/** Files are read concurrently, but the user answers one question at a time, and none twice. */
function askOnce(ask: Ask): Ask {
  const answers = new Map<string, Promise<ApprovalAnswer>>();
  const enqueue = createQueue();
  return async (approval) => {
    const key = `${approval.subject}\0${approval.sha256}`;
    const answer = answers.get(key) ?? enqueue(async () => await ask(approval));
    answers.set(key, answer);
    return await answer;
  };
}

/** An approval that cannot be stored still applies to this run, and the receipt reports it. */
async function keep(
  path: string | undefined,
  approval: Approval,
): Promise<readonly MemoryNotice[]> {
  try {
    await storeApproval(path, approval);
    return [];
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    const message = `The approval of ${approval.subject} was not stored: ${error.message}`;
    return [{ code: "APPROVAL_NOT_KEPT", message }];
  }
}

const DAMAGED: MemoryNotice = {
  code: "APPROVALS_DAMAGED",
  message:
    "The approvals file is damaged, so no file outside the workspace is approved. Fix it or move it away.",
};
