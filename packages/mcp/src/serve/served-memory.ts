import type { PermissionPolicy, Tool, ToolRunner, ToolRunnerInput } from "@caliban/agent-core";
import { isMemoryError, type TopicStore } from "@caliban/memory";
import type { ResolvedAddress } from "@caliban/tools-builtin";
import type { ApprovalTickets } from "./approval-tickets.ts";
import { offText } from "./instructions.ts";
import type { ServedSkill } from "./skills/served-skill.ts";

/** The memory that clients see, with everything needed to answer their requests. */
export interface ServedMemory {
  /** What turned memory off, such as a flag or a settings file; `undefined` when it is on. */
  readonly offBy?: string | undefined;
  /** The topics; `undefined` when memory is off. */
  readonly topics: Pick<TopicStore, "list"> | undefined;
  /** The topics about the user; left out when they are off. */
  readonly userTopics?: Pick<TopicStore, "list"> | undefined;
  /** Decides what clients may read. No one can be asked, so `ask` means no. */
  readonly policy: PermissionPolicy;
  /** The tools that clients are offered. */
  readonly tools: readonly Tool[];
  /** Tools that a rule denies. A call of one is refused for that reason. */
  readonly deniedTools: readonly Tool[];
  /**
   * Creates what runs the calls of one client. The session id is recorded with each change. Without `ask`, what needs an
   * approval is denied.
   */
  readonly createRunner: (sessionId: string, ask?: ToolRunnerInput["ask"]) => ToolRunner;
  /** Binds the user's answers to the calls that they were asked about. */
  readonly tickets: ApprovalTickets;
  /** Finds the text at a `memory://` address. */
  readonly resolve: (address: string) => Promise<ResolvedAddress>;
  /** Calls back after changes; returns how to stop. Without it, subscribed resources are polled. */
  readonly watch?: WatchMemory | undefined;
  /** Whether `memory://prefix` has the prefix of the system prompt. */
  readonly hasPrefix?: boolean | undefined;
  /** Whether `memory://root` has content learned from past sessions. */
  readonly hasLearned?: boolean | undefined;
  /** Reads the skills that clients may use. */
  readonly skills?: (() => Promise<readonly ServedSkill[]>) | undefined;
  /** Renders a page that shows the memory and changes nothing, as one HTML file. Called with each request for it. */
  readonly renderPage?: (() => Promise<string>) | undefined;
  /** Removes secrets from a text. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Removes paths of this machine from an error. */
  readonly redactPaths?: ((text: string) => string) | undefined;
}

export type WatchMemory = (events: {
  readonly onChange: () => void;
  /** Called once if changes cannot be watched and are polled instead. */
  readonly onPolling: (reason: string) => void;
}) => () => void;

/** Describes for the user what is served: the number of topics, and what clients may do. */
export async function describeMemory({
  offBy,
  topics,
  deniedTools,
}: ServedMemory): Promise<string> {
  if (topics === undefined) return offText(offBy ?? "the program that serves it");
  return `${await countTopics(topics)}, ${describeRights(deniedTools)}`;
}

async function countTopics(store: Pick<TopicStore, "list">): Promise<string> {
  try {
    const { topics } = await store.list();
    return topics.length === 1 ? "1 topic" : `${topics.length} topics`;
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return `no readable topics (${error.message})`;
  }
}

function describeRights(deniedTools: ServedMemory["deniedTools"]): string {
  if (deniedTools.length === 0) return "clients may read and write";
  if (deniedTools.every(({ isReadOnly }) => !isReadOnly)) return "read-only";
  return `your rules deny ${deniedTools.map(({ name }) => name).join(", ")}`;
}
