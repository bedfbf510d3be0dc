import { MemoryError } from "@caliban/memory";
import { openApprovals, type OpenApprovalsInput } from "@caliban/memory/node";

/** The approvals of one workspace's requested servers, each bound to the server as it was then. */
export interface ServerApprovals {
  /** Whether exactly this server was approved. An unreadable file approves nothing. */
  readonly isApproved: (name: string, fingerprint: string) => Promise<boolean>;
  /** @throws MemoryError `APPROVALS_DAMAGED`, `UNWRITABLE`, or `NOT_APPROVABLE` when nothing can be saved */
  readonly approve: (name: string, fingerprint: string) => Promise<void>;
  /** The names with an approval of any version, and whether the file is valid. */
  readonly list: () => Promise<{ readonly names: readonly string[]; readonly isValid: boolean }>;
  /**
   * Withdraws every approval of a name. False if there was none.
   * @throws MemoryError `APPROVALS_DAMAGED` or `UNWRITABLE`
   */
  readonly forget: (name: string) => Promise<boolean>;
}

/** What a repository requests: a server, or another program that is approved in the same way. */
export type RequestKind = "mcp-server" | "hook";

/** Stores which requested servers may be started, in the same file as approved imports. */
export function createServerApprovals(
  input: OpenApprovalsInput,
  kind: RequestKind = "mcp-server",
): ServerApprovals {
  const stored = openApprovals(kind, input);
  return {
    isApproved: stored.isApproved,
    approve: async (name, fingerprint) => {
      if (!stored.isPersistent)
        throw new MemoryError("NOT_APPROVABLE", "no home directory found, so nothing can be saved");
      await stored.approve(name, fingerprint);
    },
    list: async () => {
      const { approvals, isValid } = await stored.list();
      return { names: [...new Set(approvals.map(({ subject }) => subject))], isValid };
    },
    forget: (name) => stored.remove(({ subject }) => subject === name),
  };
}
