import type {
  AgentView,
  ImageAttachment,
  Message,
  PermissionPolicy,
  PolicyRule,
  RuleSource,
  Tool,
  TurnOutcome,
  Usage,
} from "@caliban/agent-core";
import type { Receipt } from "@caliban/memory";
import type { Cost } from "@caliban/providers";
import type { SettingValues } from "@caliban/settings";
import type { Skill } from "@caliban/skills";
import type { ServerStatus } from "@caliban/mcp/node";
import type { HookSummaries } from "../hooks/summarize-hooks.ts";
import type { StartWarning } from "./prompt/compose-agent.ts";
import type { RewindChoice } from "./rewind/rewind-points.ts";
import type { RewindRequest, RewindResult } from "./rewind/rewind.ts";
import type { RecallStatus } from "./notes/recall-search.ts";
import type { SavedFact } from "./turn/save-fact.ts";
import type { WindowUse } from "./turn/window-use.ts";

/** What this conversation has used so far. */
interface Spent {
  readonly usage: Usage;
  readonly cost: Cost;
  readonly requests: number;
  readonly elapsedMs: number;
}

/** What the session gets from memory besides its prompt. */
export interface NotesInfo {
  /** Whether messages, calls or nothing get notes. */
  readonly recall: RecallStatus;
  /** How many notes the session got, as far as is known. */
  readonly count: number;
}

export interface SendOptions {
  /** Takes the messages that the user sent since. Called when tools have run, and the model reads them next. */
  readonly takeMessages?: (() => readonly string[]) | undefined;
  /** The pasted images that a text refers to. */
  readonly imagesIn?: ((text: string) => readonly ImageAttachment[]) | undefined;
}

/** The settings `ui.theme` and `ui.notify`. */
interface ScreenSettings {
  readonly theme: SettingValues["ui.theme"];
  readonly notify: SettingValues["ui.notify"];
}

/** The names of tools that were added and removed. */
export interface ToolsChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** One conversation with a model, from its first message to its last. The command line and the screen drive it. */
export interface Conversation extends ConversationQueries, ConversationChanges {
  /** Sends events, notices and questions to a view from now on, starting with the notices from opening. */
  readonly attach: (view: AgentView) => void;
  /** Runs a turn to its end, after any turn that is still running. Failures are outcomes. */
  readonly send: (text: string, options?: SendOptions) => Promise<TurnOutcome>;
  /** Ends the running turn; false when there is none. */
  readonly interrupt: () => boolean;
  /** Summarizes the conversation so far. `instructions` say what the summary must keep. */
  readonly compact: (instructions?: string) => Promise<TurnOutcome>;
  /** Saves a text of the user to memory, without the model. */
  readonly remember: (fact: string) => Promise<SavedFact>;
  /** Runs a command of the user, to which the model has access with the next message. @throws UsageError */
  readonly runCommand: (command: string) => Promise<void>;
  /** Whether a text contains a key of the user, or what looks like a secret. */
  readonly holdsSecret: (text: string) => Promise<boolean>;
  /** How many changes of memory wait for the user. Reads only the names of files. */
  readonly waitingProposals: () => Promise<number>;
  /** Every configured hook with its standing and its last outcome. */
  readonly hooks: () => Promise<HookSummaries>;
  /** The stored "always" answers of this workspace. */
  readonly approvals: () => Promise<readonly string[]>;
  /** Revokes such an answer; false when there is no such approval. */
  readonly forget: (approval: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** What a conversation is at this moment. */
export interface ConversationQueries {
  /** The id of the current session, also when it is not saved. */
  readonly id: () => string;
  readonly isSaved: () => boolean;
  /** `provider/model`. */
  readonly model: () => string;
  /** The model that the settings name, if they do. */
  readonly defaultModel: () => string | undefined;
  readonly messages: () => readonly Message[];
  readonly policy: () => PermissionPolicy;
  readonly tools: () => readonly Tool[];
  readonly skills: () => readonly Skill[];
  /** What the prompt was built from, with the current state of the memory servers. */
  readonly receipt: () => Receipt;
  readonly servers: () => readonly ServerStatus[];
  readonly windowUse: () => WindowUse;
  readonly spent: () => Spent;
  readonly notes: () => NotesInfo;
  /** How the user wants the screen to look and to call. */
  readonly screenSettings: () => ScreenSettings;
  readonly warnings: () => readonly StartWarning[];
}

/** What the user can change besides sending messages. */
export interface ConversationChanges {
  /** Starts a new session with the memory as it is now. */
  readonly clear: () => Promise<void>;
  /** Resumes a stored session, with a new prompt. */
  readonly resume: (id: string) => Promise<void>;
  /** Reads memory again and rebuilds the prompt. Only on request, because it invalidates the provider's cache. */
  readonly reload: () => Promise<Receipt>;
  /** The points to which the conversation can go back, newest first. Reads the files that were changed. */
  readonly rewindChoices: () => Promise<readonly RewindChoice[]>;
  /** Goes back to such a point. @throws UsageError for a point that is not known */
  readonly rewind: (request: RewindRequest) => Promise<RewindResult>;
  /** @throws UsageError for an invalid name, or a provider without a key */
  readonly useModel: (name: string) => Promise<void>;
  readonly useMode: (mode: PermissionPolicy["mode"]) => void;
  /** Applies a rule from the next call on, until the conversation is cleared, resumed or reloaded. */
  readonly addRule: (list: RuleSource["list"], rule: PolicyRule) => void;
  /** Starts the MCP servers in the background and reports what happens to them. */
  readonly startServers: (report: (line: string) => void) => void;
  /** Restarts the MCP servers and rebuilds the prompt. Only on request, as it invalidates the provider's cache. */
  readonly reloadServers: () => Promise<ToolsChange>;
}
