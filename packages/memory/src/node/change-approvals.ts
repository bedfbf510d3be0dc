import { terminalSafeLine, type Environment, pathStyleOf } from "@caliban/common";
import { withFileLock, writeFileAtomic, errorCode, readTextFile } from "@caliban/common/node";
import { type Approval, isApproved, renderApprovals } from "../project/approvals.ts";
import { MemoryError } from "../errors.ts";
import { readApprovals } from "./approvals.ts";
import { reportUnwritable } from "./report-unwritable.ts";
import { realpath } from "node:fs/promises";
import { isSecretPath } from "../prompt/imports.ts";
import { MAX_FILE_BYTES } from "../prompt/prefix.ts";
import { approvalsPath } from "./prompt/load-memory.ts";
import { sha256Hex } from "./sha256-hex.ts";

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
      const { approvals, isValid: isSound } = await readApprovals(path);
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

export interface ApproveFileInput {
  readonly path: string;
  readonly workspaceRoot: string;
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
}

/**
 * Approves the present content of a file for imports of one workspace.
 * @throws MemoryError `NOT_APPROVABLE` for what is no readable text, or a secret.
 */
export async function approveFile(input: ApproveFileInput): Promise<Approval> {
  const shown = terminalSafeLine(input.path);
  const subject = await realPathOf(input.path, shown);
  if (isSecretPath(pathStyleOf(input.platform), subject)) {
    throw new MemoryError("NOT_APPROVABLE", `${shown} is of a kind that never goes into a prompt`);
  }
  const file = await readTextFile(subject, MAX_FILE_BYTES, { isRealPath: true });
  if (file.kind !== "text") {
    throw new MemoryError("NOT_APPROVABLE", `${shown} cannot be read: ${file.message}`);
  }
  const approval: Approval = {
    workspace: input.workspaceRoot,
    kind: "import",
    subject,
    sha256: sha256Hex(file.text),
  };
  const approvals = approvalsPath(input);
  if (approvals === undefined) {
    throw new MemoryError("NOT_APPROVABLE", "no home directory is known, so nothing can be kept");
  }
  await addApproval(approvals, approval);
  return approval;
}

async function realPathOf(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    throw new MemoryError("NOT_APPROVABLE", `${shown} does not exist`, { cause });
  }
}
