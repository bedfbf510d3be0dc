import type {
  AgentEvent,
  Message,
  PermissionAnswer,
  PermissionPolicy,
  PermissionQuestion,
  Tool,
  TurnOutcome,
  Usage,
} from "@caliban/agent-core";
import type { Receipt } from "@caliban/memory";
import type { Skill } from "@caliban/skills";
import type { ServerStatus } from "../../../../packages/mcp/src/client/server-status.ts";

/** How a conversation speaks with whoever shows it: a terminal, or a stream of lines. */
export interface ConversationView {
  readonly emit: (event: AgentEvent) => void;
  /** One line for the person, such as a saved memory. */
  readonly notify: (line: string) => void;
  /** Left out when nobody is there to answer. */
  readonly ask?: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined;
}

/** What fills the model's window, part by part. */
export interface ContextUse {
  readonly windowTokens: number;
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
}

/** What this conversation has taken so far. */
interface Spent {
  readonly usage: Usage;
  readonly requests: number;
  readonly elapsedMs: number;
}

/** The names of tools that came and went. */
export interface ToolsChange {
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/** One conversation with a model, from its first word to its last: what the command line and the screen drive. */
export interface Conversation {
  /** The id of the session that is written, also when it is not saved. */
  readonly id: () => string;
  readonly isSaved: () => boolean;
  /** `provider/model`. */
  readonly model: () => string;
  readonly messages: () => readonly Message[];
  /** Runs a turn to its end; a second one waits for it. Failures are outcomes. */
  readonly send: (text: string) => Promise<TurnOutcome>;
  /** Ends the turn that runs; false when none does. */
  readonly interrupt: () => boolean;
  readonly compact: (wish?: string) => Promise<TurnOutcome>;
  /** Begins anew with a new session and the memory as it is now. */
  readonly clear: () => Promise<void>;
  /** Goes on with a stored session. The prompt is built anew. */
  readonly resume: (id: string) => Promise<void>;
  /** Reads memory again and builds the prompt anew: on request only, because it costs the provider's cache. */
  readonly reload: () => Promise<Receipt>;
  /** @throws UsageError for a name that is none, or a provider without a key */
  readonly useModel: (name: string) => Promise<void>;
  readonly policy: () => PermissionPolicy;
  readonly useMode: (mode: PermissionPolicy["mode"]) => void;
  /** What was answered "always" in this workspace, as it is kept. */
  readonly approvals: () => Promise<readonly string[]>;
  /** Takes such an answer back; false when there is none. */
  readonly forget: (approval: string) => Promise<boolean>;
  readonly tools: () => readonly Tool[];
  readonly skills: () => readonly Skill[];
  /** What the prompt was built from, and how the tier behind servers is at this moment. */
  readonly receipt: () => Receipt;
  /** The MCP servers, and how each of them is. */
  readonly servers: () => readonly ServerStatus[];
  /** Starts them beside the conversation: for when nobody waits for anything. What happens to them is told. */
  readonly startServers: (say: (line: string) => void) => void;
  /** Ends and starts them again, and builds prompt and tools anew: on request only, as it costs the provider's cache. */
  readonly reloadServers: () => Promise<ToolsChange>;
  readonly contextUse: () => ContextUse;
  readonly spent: () => Spent;
  /** What is to be said at the start, one a line: skills and rules that are not there, memory that was cut. */
  readonly warnings: () => readonly string[];
  readonly close: () => Promise<void>;
}
