import { realpath } from "node:fs/promises";
import { type Environment, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { errorCode, readTextFile } from "@caliban/common/node";
import type { Approval } from "../project/approvals.ts";
import { MemoryError } from "../errors.ts";
import { isSecretPath } from "../prompt/imports.ts";
import { MAX_FILE_BYTES } from "../prompt/prefix.ts";
import { addApproval } from "./change-approvals.ts";
import { approvalsPath } from "./load-memory.ts";
import { sha256Hex } from "./sha256-hex.ts";

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
