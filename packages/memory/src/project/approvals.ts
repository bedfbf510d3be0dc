import { isRecord, parseJson } from "@caliban/common";

/** What the user allowed permanently: this content of this subject, in this workspace. */
export interface Approval {
  readonly workspace: string;
  readonly kind: ApprovalKind;
  /** The real path of a file, what a permission is for, or the name of a server or a hook. */
  readonly subject: string;
  /** The hash of the file's content, of the subject itself, or of everything that defines the server or hook. */
  readonly sha256: string;
}

const KINDS = ["import", "permission", "mcp-server", "hook"] as const;

/** A file that may be imported, a tool call that is no longer asked about, or a server or a hook that a repository may start. */
export type ApprovalKind = (typeof KINDS)[number];

export interface ApprovalList {
  readonly approvals: readonly Approval[];
  /** False when the file is damaged: then nothing is approved, and the file is never overwritten. */
  readonly isValid: boolean;
}

/** Parses approvals.json. Anything that we would not have written is damage, and a damaged file approves nothing. */
export function parseApprovals(text: string): ApprovalList {
  const value = parseJson(text);
  return isApprovalFile(value)
    ? { approvals: value.approvals, isValid: true }
    : { approvals: [], isValid: false };
}

export function renderApprovals(approvals: readonly Approval[]): string {
  return `${JSON.stringify({ version: 1, approvals }, undefined, 2)}\n`;
}

/** Whether exactly this was approved, and not another workspace, subject or content. */
export function isApproved(approvals: readonly Approval[], wanted: Approval): boolean {
  return approvals.some(
    ({ workspace, kind, subject, sha256 }) =>
      workspace === wanted.workspace &&
      kind === wanted.kind &&
      subject === wanted.subject &&
      sha256 === wanted.sha256,
  );
}

interface ApprovalFile {
  readonly version: 1;
  readonly approvals: readonly Approval[];
}

function isApprovalFile(value: unknown): value is ApprovalFile {
  if (!isRecord(value) || value["version"] !== 1) return false;
  const { approvals } = value;
  return Array.isArray(approvals) && approvals.every(isApproval);
}

function isApproval(value: unknown): value is Approval {
  if (!isRecord(value)) return false;
  return (
    KINDS.some((kind) => kind === value["kind"]) &&
    ["workspace", "subject", "sha256"].every((name) => typeof value[name] === "string")
  );
}
