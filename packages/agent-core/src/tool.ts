import type { CommandMessage } from "@caliban/common";
import type { CreateChildRunner } from "./loop/child-runner.ts";
import type { Image } from "./message.ts";
import type { CommandPart } from "./permissions/command-part.ts";
import type { SandboxAccess, SandboxRequest } from "./permissions/sandbox-access.ts";

/** A JSON Schema as plain data. It is passed to the model unchanged. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Something the model can do, together with what permission rules need to know about it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** `category.action`, such as `memory.write`: the name that permission rules use. */
  readonly permission: string;
  /** True for a tool that changes nothing. Such tools also run in plan mode. */
  readonly isReadOnly: boolean;
  readonly inputSchema: JsonSchema;
  /** Describes the `data` of a successful result. Omitted when its shape is not guaranteed. */
  readonly outputSchema?: JsonSchema | undefined;
  /** Calls with the same key run one after another. `undefined` (or no function) allows any order. */
  readonly orderKey?: (input: unknown) => string | undefined;
  /** The text that a rule's pattern is matched against, such as the command of a shell tool. */
  readonly subjectOf?: (input: unknown) => string | undefined;
  /**
   * Says in one sentence why this call always needs the user's approval, such as one that edits an instruction file.
   * Returns `undefined` for every other call.
   */
  readonly protectionReason?: (input: unknown) => string | undefined;
  /** Loads what splits a command line into its commands. */
  readonly loadPartsOf?: () => Promise<PartsOf>;
  /**
   * Describes how the tool would confine this call. Returns `undefined` if there is no sandbox, which it may report to
   * the user.
   */
  readonly sandboxOf?: (
    input: unknown,
    notify: (notice: Notice) => void,
  ) => Promise<SandboxRequest | undefined>;
  /** Validates its own input. Invalid input produces an error result, never an exception. */
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolResult>;
}

/** Returns the commands of a call, or `undefined` if it is not certain what a shell would run. */
export type PartsOf = (input: unknown) => readonly CommandPart[] | undefined;

/** The part of an AbortSignal that tools use. Any AbortSignal fits, and the type needs no platform library. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly addEventListener: (type: "abort", listener: () => void) => void;
  readonly removeEventListener: (type: "abort", listener: () => void) => void;
}

/** The session that calls a tool, as far as the tool can see it. */
export interface ToolContext {
  readonly session?: string | undefined;
  /** The subagent that makes the call; omitted for the main agent. */
  readonly agent?: string | undefined;
  /**
   * Names of the tools used since the user's last message, in order of first use and without this call. They tell where
   * the model may have got its input from.
   */
  readonly usedTools: readonly string[];
  /** The user's last message, if the runner was told. */
  readonly userText?: string | undefined;
  /** The last calls that worked, oldest first and without this call: what the model knows about files and commands. */
  readonly recentCalls?: readonly RecentCall[] | undefined;
  /** What the model has read in this conversation, if the runner was told. */
  readonly seen?: SeenText | undefined;
  /** Shows a one-line notice to the user. */
  readonly notify: (notice: Notice) => void;
  readonly signal?: CancelSignal | undefined;
  /** The access that the call was permitted with. Omitted for a call without a sandbox. */
  readonly access?: SandboxAccess | undefined;
  /** Shows the user what the call has printed so far. Omitted where there is no screen. */
  readonly progress?: ((progress: ToolProgress) => void) | undefined;
  /** Creates what runs the calls of a subagent. Omitted for the calls of a subagent itself. */
  readonly createChild?: CreateChildRunner | undefined;
}

/** What a running call has printed so far. It is shown and then forgotten; the model never sees it. */
export interface ToolProgress {
  /** The last lines. */
  readonly text: string;
  /** How many lines there are in total. */
  readonly lines: number;
}

/** A call that worked. */
export interface RecentCall {
  readonly tool: string;
  readonly permission: string;
  /** What a rule's pattern is matched against: the absolute path of a file, or a command. */
  readonly subject: string | undefined;
  /** Whether the call was made since the user's last message. */
  readonly isInTurn: boolean;
}

/** What the model has read in a conversation: where it may have got its input from. */
export interface SeenText {
  /** The user's messages, oldest first. */
  readonly userTexts: readonly string[];
  /** Results of tools, oldest first, also of calls that failed, and without trusted ones. */
  readonly results: readonly SeenResult[];
}

export interface SeenResult {
  readonly tool: string;
  readonly permission: string;
  readonly text: string;
}

/** A one-line message for the user that is not part of the model's answer. */
export interface Notice extends CommandMessage {
  /** `memory` for a change of the agent's memory, `general` for everything else. */
  readonly kind: "memory" | "general";
}

/** The outcome of a call: `text` is for the model, `data` is the same information for programs. */
export interface ToolResult {
  readonly text: string;
  readonly isError?: boolean;
  readonly data?: unknown;
  /** Images for a model that accepts them. The text must say what they are. */
  readonly images?: readonly Image[] | undefined;
  /** Whether the text is only the program's own or the user's, so that it cannot mislead the model. */
  readonly isTrusted?: boolean | undefined;
}

/** A call as the model makes it. Neither the name nor the input has been validated. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  /** The subagent that makes the call; omitted for the main agent. */
  readonly agent?: string | undefined;
  readonly signal?: CancelSignal | undefined;
  /** Called when the tool starts, after waiting and asking for permission. */
  readonly onStart?: (() => void) | undefined;
  /** Called now and then while the tool runs. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

/** The part of a permission before the dot: `memory` in `memory.write`. */
export function categoryOf(permission: string): string {
  const [category = ""] = permission.split(".", 1);
  return category;
}
