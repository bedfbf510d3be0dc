import { MemoryError } from "../errors.ts";
import { createKeptApprovals, type KeptApprovalsInput } from "./approvals.ts";

/** Servers of a repository that a person let it start, each as it was then. */
export interface KeptServers {
  /** Whether exactly this was approved; a file that cannot be read approves nothing. */
  readonly isApproved: (name: string, fingerprint: string) => Promise<boolean>;
  /** @throws MemoryError `APPROVALS_DAMAGED`, `UNWRITABLE`, or `NOT_APPROVABLE` where nothing can be kept */
  readonly approve: (name: string, fingerprint: string) => Promise<void>;
  /** The names that have an approval, whatever they were then, and whether the file could be read. */
  readonly list: () => Promise<{ readonly names: readonly string[]; readonly isSound: boolean }>;
  /**
   * Takes every approval of a name back; false when there is none.
   * @throws MemoryError `APPROVALS_DAMAGED` or `UNWRITABLE`
   */
  readonly forget: (name: string) => Promise<boolean>;
}

/** Keeps which servers of a repository may be started, beside the approved imports. */
export function createServerApprovals(input: KeptApprovalsInput): KeptServers {
  const kept = createKeptApprovals("mcp-server", input);
  return {
    isApproved: kept.isApproved,
    approve: async (name, fingerprint) => {
      if (!kept.isKept) {
        const sentence = "no home directory is known, so nothing can be kept";
        throw new MemoryError("NOT_APPROVABLE", sentence);
      }
      await kept.approve(name, fingerprint);
    },
    list: async () => {
      const { approvals, isSound } = await kept.list();
      return { names: [...new Set(approvals.map(({ subject }) => subject))], isSound };
    },
    forget: (name) => kept.forget(({ subject }) => subject === name),
  };
}
