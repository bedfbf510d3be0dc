import { relative } from "node:path";
import type { PermissionApprovals } from "@caliban/agent-core";
import { openApprovals, type OpenApprovalsInput } from "@caliban/memory/node";

export interface StoredApprovalsInput extends Omit<OpenApprovalsInput, "workspaceRoot"> {
  /** Real paths: the workspace, and the directory that commands run in. */
  readonly workspace: { readonly root: string; readonly startDirectory: string };
}

/** The "always" answers of one workspace. Changes throw a MemoryError: `APPROVALS_DAMAGED`, `UNWRITABLE`, `SECRET_FOUND`. */
export interface StoredApprovals extends PermissionApprovals {
  readonly list: () => Promise<readonly string[]>;
  /** Revokes an answer; false when there is no such approval. */
  readonly forget: (subject: string) => Promise<boolean>;
}

/**
 * Creates approvals for a tool runner that are stored in the user's state directory. A command depends on its directory,
 * so a command that was approved in another directory of the workspace needs a new approval.
 */
export function createStoredApprovals(input: StoredApprovalsInput): StoredApprovals {
  const { root: workspaceRoot, startDirectory } = input.workspace;
  const stored = openApprovals("permission", { ...input, workspaceRoot });
  const below = relative(workspaceRoot, startDirectory);
  const inDirectory = (subject: string): string =>
    below !== "" && subject.startsWith("permission:shell.") ? `${subject} in ${below}` : subject;
  return {
    isApproved: (subject) => stored.isApproved(inDirectory(subject)),
    approve: (subject) => stored.approve(inDirectory(subject)),
    canStore: async (subject) => {
      const { findSecrets } = await import("@caliban/memory/secrets");
      return (await findSecrets(subject)).length === 0;
    },
    list: async () => {
      const { approvals } = await stored.list();
      const subjects = [...new Set(approvals.map(({ subject }) => subject))];
      // An approval whose hash does not match its subject approves nothing.
      const isValid = await Promise.all(subjects.map((subject) => stored.isApproved(subject)));
      return subjects.filter((_, index) => isValid[index]);
    },
    forget: async (subject) =>
      (await stored.isApproved(subject)) &&
      (await stored.remove((approval) => approval.subject === subject)),
  };
}
