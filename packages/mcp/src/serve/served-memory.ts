import type { PermissionPolicy, Tool, ToolRunner } from "@caliban/agent-core";
import type { TopicStore } from "@caliban/memory";

/** The memory that clients see, with everything needed to answer their requests. */
export interface ServedMemory {
  /** What turned memory off, such as a flag or a settings file; `undefined` when it is on. */
  readonly offBy?: string | undefined;
  /** The topics; `undefined` when memory is off. */
  readonly topics: Pick<TopicStore, "list"> | undefined;
  /** Decides what clients may read. No one can be asked, so `ask` means no. */
  readonly policy: PermissionPolicy;
  /** The tools that clients are offered. */
  readonly tools: readonly Tool[];
  /** Tools that a rule denies. A call of one is refused for that reason. */
  readonly deniedTools: readonly Tool[];
  /** Creates what runs the calls of one client. The session id is recorded with each change. */
  readonly createRunner: (sessionId: string) => ToolRunner;
  /** Finds the text at a `memory://` address. @throws ProtocolError for a topic that a rule denies */
  readonly resolve: (address: string) => Promise<ResolvedAddress>;
  /** Calls back after changes; returns how to stop. Without it, subscribed resources are polled. */
  readonly watch?: WatchMemory | undefined;
  /** Whether `memory://prefix` has the prefix of the system prompt. */
  readonly hasPrefix?: boolean | undefined;
  /** Whether `memory://root` has content learned from past sessions. */
  readonly hasLearned?: boolean | undefined;
  /** Removes secrets from a text. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Removes paths of this machine from an error. */
  readonly redactPaths?: ((text: string) => string) | undefined;
}

export type ResolvedAddress = { readonly text: string } | { readonly problem: string };

export type WatchMemory = (events: {
  readonly onChange: () => void;
  /** Called once if changes cannot be watched and are polled instead. */
  readonly onPolling: (reason: string) => void;
}) => () => void;
