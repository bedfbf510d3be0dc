import { realpath } from "node:fs/promises";
import { isSecretPath, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { errorCode, readTextFile, withFileLock, writeFileAtomic } from "@caliban/common/node";
import { checkArguments } from "../check-arguments.ts";
import { MemoryError } from "../errors.ts";
import { type Approval, isApproved, renderApprovals } from "../project/approvals.ts";
import { isWithin } from "../prompt/imports.ts";
import { MAX_FILE_BYTES } from "../prompt/prefix.ts";
import { findSecretsLazily } from "./find-secrets.ts";
import { approvalsPath, readApprovals } from "./approvals.ts";
import { type EnvironmentOptions, resolveEnvironment } from "./project/environment.ts";
import { reportUnwritable } from "./report-unwritable.ts";
import { sha256Hex } from "./sha256-hex.ts";

/**
 * @throws MemoryError `APPROVALS_DAMAGED` rather than overwriting a file that cannot be read, `UNWRITABLE`, or
 *   `SECRET_FOUND` for a call that contains a secret, which would be stored as it is
 */
export async function addApproval(path: string, approval: Approval): Promise<void> {
  if (approval.kind === "permission") await refuseSecret(approval.subject);
  await changeApprovals(path, (approvals) =>
    isApproved(approvals, approval) ? approvals : [...approvals, approval],
  );
}

async function refuseSecret(subject: string): Promise<void> {
  const [found] = await findSecretsLazily(subject);
  if (found === undefined) return;
  const message = `it contains what looks like a secret (${found.kind}), and secrets are not stored. Pass the value in a variable`;
  throw new MemoryError("SECRET_FOUND", message);
}

/**
 * Removes the approvals that match; false when there was none.
 * @throws MemoryError as `addApproval` does
 */
export async function removeApprovals(
  path: string,
  matches: (approval: Approval) => boolean,
): Promise<boolean> {
  return await changeApprovals(path, (approvals) =>
    approvals.filter((approval) => !matches(approval)),
  );
}

type Change = (approvals: readonly Approval[]) => readonly Approval[];

/** Returns whether the list changed. */
async function changeApprovals(path: string, change: Change): Promise<boolean> {
  return await reportUnwritable(path, () =>
    withFileLock(path, async () => {
      const { approvals, isValid } = readApprovals(path);
      if (!isValid) throw damaged(path);
      const changed = change(approvals);
      if (changed.length === approvals.length) return false;
      await writeFileAtomic(path, renderApprovals(changed));
      return true;
    }),
  );
}

function damaged(path: string): MemoryError {
  const message = `${terminalSafeLine(path)} is damaged, so nothing is approved and it is not overwritten. Fix it or move it away.`;
  return new MemoryError("APPROVALS_DAMAGED", message);
}

export interface ApproveFileInput extends EnvironmentOptions {
  readonly path: string;
  readonly workspaceRoot: string;
}

/**
 * Approves the current content of a file for imports in one workspace.
 * @throws MemoryError `NOT_APPROVABLE` for a secret, for a file of the workspace, or for anything but readable text
 */
export async function approveFile(input: ApproveFileInput): Promise<Approval> {
  checkArguments("approveFile", input, { path: "string", workspaceRoot: "string" });
  const environment = resolveEnvironment(input);
  const shown = terminalSafeLine(input.path);
  const subject = await realPathOf(input.path, shown);
  const style = pathStyleOf(environment.platform);
  if (isSecretPath(style, subject)) {
    throw notApprovable(`${shown}: keys, passwords and environment files never go into a prompt`);
  }
  if (isWithin(style, subject, [input.workspaceRoot])) {
    throw notApprovable(`${shown} is inside the workspace and needs no approval`);
  }
  const file = readTextFile(subject, MAX_FILE_BYTES, { isRealPath: true });
  if (file.kind !== "text") throw notApprovable(`cannot read ${shown}: ${file.message}`);
  const approval: Approval = {
    workspace: input.workspaceRoot,
    kind: "import",
    subject,
    sha256: sha256Hex(file.text),
  };
  const approvals = approvalsPath(environment);
  if (approvals === undefined) {
    throw notApprovable("no home directory found, so the approval cannot be stored; set HOME");
  }
  await addApproval(approvals, approval);
  return approval;
}

async function realPathOf(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    throw notApprovable(`no such file: ${shown}`, cause);
  }
}

function notApprovable(message: string, cause?: unknown): MemoryError {
  return new MemoryError("NOT_APPROVABLE", message, { cause });
}
