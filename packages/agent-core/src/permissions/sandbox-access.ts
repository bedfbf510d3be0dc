/** How far a call reaches: it changes nothing, it changes the workspace, or it runs without a sandbox. */
export type SandboxAccess = "read-only" | "workspace" | "outside";

/** A call that its tool can confine with a sandbox of the operating system. */
export interface SandboxRequest {
  /** The least access that the call is expected to need. */
  readonly needs: SandboxAccess;
  /** The part of the call that can discard work, such as `git reset`. */
  readonly discards?: string | undefined;
  /** Whether the sandbox can make the workspace writable. */
  readonly canWrite: boolean;
  /** Whether the call may run outside of the sandbox if a rule or the user allows it. */
  readonly canLeave: boolean;
}

const ORDER: readonly SandboxAccess[] = ["read-only", "workspace", "outside"];

/** Whether an access includes another one. */
export function includesAccess(access: SandboxAccess, needed: SandboxAccess): boolean {
  return ORDER.indexOf(access) >= ORDER.indexOf(needed);
}

/** The widest access that a call can get: outside of the sandbox, unless that is ruled out. */
export function widestAccess({ canLeave, canWrite }: SandboxRequest): SandboxAccess {
  if (canLeave) return "outside";
  return canWrite ? "workspace" : "read-only";
}

/** The access that a call gets once the user has approved it: no more than it needs, and enough to change files. */
export function approvedAccess(request: SandboxRequest): SandboxAccess {
  const widest = widestAccess(request);
  const wanted = request.needs === "read-only" ? "workspace" : request.needs;
  const granted = wanted === "workspace" && !request.canWrite ? "outside" : wanted;
  return includesAccess(widest, granted) ? granted : widest;
}
