/** What a person allowed once and for all: this content at this place, in this workspace. */
export interface Approval {
  readonly workspace: string;
  readonly kind: ApprovalKind;
  /** The real path of a file, what a permission is for, or the name of a server. */
  readonly subject: string;
  /** Of the file's content, of the subject itself, or of all that decides what a server is. */
  readonly sha256: string;
}

const KINDS = ["import", "permission", "mcp-server"] as const;

/** A file that may be imported, a call that needs no more asking, or a server that a repository may start. */
export type ApprovalKind = (typeof KINDS)[number];

export interface Approvals {
  readonly approvals: readonly Approval[];
  /** False when the file is damaged: then nothing is approved, and nothing may be written over it. */
  readonly isValid: boolean;
}

/** Reads the text of approvals.json. Anything but what we wrote is damage, and damage denies. */
export function parseApprovals(text: string): Approvals {
  try {
    const value: unknown = JSON.parse(text);
    if (isApprovalFile(value)) return { approvals: value.approvals, isValid: true };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { approvals: [], isValid: false };
}

export function renderApprovals(approvals: readonly Approval[]): string {
  return `${JSON.stringify({ version: 1, approvals }, undefined, 2)}\n`;
}

/** Whether exactly this was approved. Another workspace, path or content was not. */
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
  if (typeof value !== "object" || value === null) return false;
  const approvals: unknown = Reflect.get(value, "approvals");
  return (
    Reflect.get(value, "version") === 1 && Array.isArray(approvals) && approvals.every(isApproval)
  );
}

function isApproval(value: unknown): value is Approval {
  if (typeof value !== "object" || value === null) return false;
  return (
    KINDS.some((kind) => kind === Reflect.get(value, "kind")) &&
    ["workspace", "subject", "sha256"].every((name) => typeof Reflect.get(value, name) === "string")
  );
}
