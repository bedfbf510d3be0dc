import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  addUsage,
  type AgentEvent,
  type Clock,
  type Message,
  type ModelFailure,
  NO_USAGE,
  type PermissionMode,
  type PermissionPolicy,
  type ToolRunner,
  type Usage,
} from "@caliban/agent-core";
import type { Receipt } from "@caliban/memory";
import type { KeptPermissions } from "@caliban/memory/node";
import type { Project } from "../project/project.ts";
import type { ResolvedModel } from "@caliban/providers";
import type { ComposedAgent } from "./prompt/compose-agent.ts";
import type { ConversationView } from "./conversation.ts";
import type { SessionLog } from "./log/session-log.ts";
import type { SessionServers } from "./open/servers.ts";

/** A model that can be asked. */
export interface OpenModel {
  readonly chosen: ResolvedModel;
  readonly model: LanguageModelV4;
  readonly markCache?: ((prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt) | undefined;
  /** Keys that a provider may repeat in what it says about a failure. */
  readonly secrets?: readonly string[] | undefined;
  readonly explainFailure: (failure: ModelFailure) => ModelFailure;
}

/** What a prompt was made from, and what it was made into. */
export interface OpenAgent extends ComposedAgent {
  readonly receipt: Receipt;
  /** The settings that it was composed with. */
  readonly project: Project;
}

/** What a conversation is made of at its beginning, and again when it begins anew. */
export interface ConversationStart {
  readonly agent: OpenAgent;
  readonly model: OpenModel;
  readonly log: SessionLog;
  readonly messages: readonly Message[];
}

/** Everything that a conversation cannot do by itself. */
export interface ConversationParts {
  readonly view: ConversationView;
  readonly clock: Clock;
  readonly maxSteps: number;
  /** Reads memory again, and makes the prompt and the tools of it. */
  readonly composeAgent: () => Promise<OpenAgent>;
  /** Without a name, what settings and keys give. @throws UsageError for a name that is none */
  readonly openModel: (name: string | undefined, project: Project) => Promise<OpenModel>;
  /** The model for small work such as summaries; `undefined` for the one that answers. */
  readonly openSmallModel: (project: Project) => Promise<OpenModel | undefined>;
  readonly newLog: (modelName: string) => SessionLog;
  /** A stored session with the model it used, or another one where that cannot be had. */
  readonly resumeLog: (
    id: string,
    project: Project,
  ) => Promise<Pick<ConversationStart, "log" | "messages" | "model">>;
  readonly createRunner: (input: {
    readonly agent: OpenAgent;
    readonly sessionId: string;
    readonly policy: () => PermissionPolicy;
  }) => ToolRunner;
  /** Answers of "always" that are kept for this workspace. */
  readonly approvals: Pick<KeptPermissions, "list" | "forget">;
  /** Left out where there are no MCP servers. */
  readonly servers?: SessionServers | undefined;
  /** What the model is told with the first words of the person, and not in the prompt, which is to stay the same. */
  readonly openingNote: () => string;
}

/** Where a conversation stands. It is the one thing here that changes; everything that changes it is in this folder. */
export interface ConversationState {
  agent: OpenAgent;
  model: OpenModel;
  log: SessionLog;
  messages: readonly Message[];
  mode: PermissionMode;
  runner: ToolRunner;
  /** Since when, and what it took since. */
  startedMs: number;
  usage: Usage;
  requests: number;
  /** Topics that were named to the model in this session, also where the messages that did are summarized by now. */
  recalled: readonly string[];
  /** Whether the person's next words are the first since the conversation began or was taken up again. */
  isOpening: boolean;
  /** Ends what runs now. */
  running: AbortController | undefined;
}

/** A conversation before its first word. */
export function startState(parts: ConversationParts, start: ConversationStart): ConversationState {
  const begun = { mode: start.agent.policy.mode, ...nothingSpent(parts) };
  const fresh = { isOpening: true, recalled: [], running: undefined, runner: NO_RUNNER };
  const state: ConversationState = { ...start, ...begun, ...fresh };
  state.runner = newRunner(state, parts);
  return state;
}

const NO_RUNNER: ToolRunner = {
  run: async () => ({ text: "There are no tools yet.", isError: true }),
  onUserMessage: () => undefined,
};

/** Goes on with another prompt, log or past. What is left out stays. */
export async function takeUp(
  state: ConversationState,
  parts: ConversationParts,
  next: Partial<ConversationStart>,
): Promise<void> {
  if (next.log !== undefined) {
    await state.log.close();
    Object.assign(state, nothingSpent(parts), { recalled: [] });
  }
  const isOtherMode =
    next.agent !== undefined && next.agent.policy.mode !== state.agent.policy.mode;
  // Another mode in the settings holds from here on; one that was chosen meanwhile stays otherwise.
  if (isOtherMode) state.mode = next.agent.policy.mode;
  if (next.agent !== undefined) state.agent.search?.stop();
  Object.assign(state, next, { isOpening: true });
  state.runner = newRunner(state, parts);
  // As at a start: what is cut, skipped or not approved now is said now.
  for (const sentence of next.agent?.warnings ?? []) parts.view.emit({ type: "notice", sentence });
}

function nothingSpent({
  clock,
}: ConversationParts): Pick<ConversationState, "startedMs" | "usage" | "requests"> {
  return { startedMs: clock.nowMs(), usage: NO_USAGE, requests: 0 };
}

function newRunner(state: ConversationState, parts: ConversationParts): ToolRunner {
  const { agent, log } = state;
  return parts.createRunner({ agent, sessionId: log.id, policy: () => policyOf(state) });
}

/** The rules of the session in the mode of the moment. */
export function policyOf({ agent, mode }: ConversationState): PermissionPolicy {
  return { ...agent.policy, mode };
}

/** Counts an event, keeps it, and shows it. */
export function emitTo(
  state: ConversationState,
  { view }: Pick<ConversationParts, "view">,
): (event: AgentEvent) => void {
  return (event) => {
    if (event.type === "usage") {
      state.usage = addUsage(state.usage, event.usage);
      state.requests += 1;
    }
    state.log.keep(event);
    view.emit(event);
  };
}
