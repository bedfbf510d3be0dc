import {
  type AttachableView,
  type Clock,
  createToolRunner,
  type Message,
  NO_USAGE,
  type PermissionMode,
  type PermissionPolicy,
  seenInMessages,
  type ToolRunner,
  type TurnModel,
  type Usage,
} from "@caliban/agent-core";
import type { ConversationServers } from "@caliban/mcp/node";
import type { Receipt } from "@caliban/memory";
import { type Cost, NO_COST } from "@caliban/providers";
import { openSessionHooks } from "../../hooks/open-session-hooks.ts";
import type { SessionHooks, StartSource } from "../../hooks/session-hooks.ts";
import type { AskImport } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";
import { secretValues } from "../../project/secret-variables.ts";
import type { PlanToolInput } from "@caliban/tools-builtin";
import type { SessionLog, SessionLogs } from "@caliban/sessions/node";
import { createSecretMask, type StoredApprovals } from "@caliban/tools-builtin/node";
import type { AllowedDollars, AskBudget } from "../budget/check-budget.ts";
import type { LazyCheckpoints } from "../../checkpoints/lazy-checkpoints.ts";
import { createReservedReason } from "../access/reserved-calls.ts";
import {
  type ConversationNotes,
  createConversationNotes,
  type NotesContext,
} from "../notes/conversation-notes.ts";
import type { AskPlan } from "../plan/ask-plan.ts";
import { wasToldPlan } from "../plan/mode-note.ts";
import type { SubagentHost } from "../prompt/task-tool.ts";
import type { ComposedAgent, PromptOverrides, StartWarning } from "../prompt/compose-agent.ts";

/** A model that is ready to be asked. */
export interface OpenModel extends TurnModel {
  /** `provider/model`. */
  readonly modelName: string;
  readonly contextWindow: number;
}

/** Opens models by the settings of a project. Tests pass scripted ones. */
export interface ModelOpener {
  /** Without a name, the model that settings and keys select. @throws UsageError for an invalid name */
  readonly open: (name: string | undefined, project: Project) => Promise<OpenModel>;
  /** The model for summaries; `undefined` when the settings name none. @throws UsageError */
  readonly openSmall: (project: Project) => Promise<OpenModel | undefined>;
}

/** A prompt with its tools, and what it was built from. */
export interface OpenAgent extends Omit<ComposedAgent, "warnings"> {
  readonly receipt: Receipt;
  /** In the frames of instructions that tool results bring in; absent when they bring in none. */
  readonly nonce: string | undefined;
  /** The directories of the project's memory, if it has any. */
  readonly memoryDirectory: string | undefined;
  readonly projectHome: string | undefined;
  /** The project with the settings that the prompt was composed with. */
  readonly project: Project;
  readonly warnings: readonly StartWarning[];
}

/** What stays the same from the first message of a conversation to its last. */
export interface ConversationSetup {
  readonly view: AttachableView;
  readonly clock: Clock;
  /** Maximum number of requests for one message. */
  readonly maxSteps: number;
  readonly overrides: PromptOverrides;
  readonly askImport: AskImport | undefined;
  readonly askBudget?: AskBudget | undefined;
  readonly models: ModelOpener;
  readonly logs: SessionLogs;
  readonly approvals: StoredApprovals;
  readonly servers: ConversationServers;
  /** Shows a plan to the user. Absent where no one can approve it. */
  readonly askPlan?: AskPlan | undefined;
  /** What tools need of the conversation, which is created after them. */
  readonly current: {
    /** The session that is running. A search leaves it out. */
    sessionId?: string;
    log?: SessionLog;
    subagents?: SubagentHost;
    plan?: PlanToolInput;
  };
  /** Saves files before tools change them; absent if nothing is saved. */
  readonly checkpoints?: LazyCheckpoints | undefined;
}

/** What a conversation starts with, and what replaces it when it is cleared, resumed or reloaded. */
export interface ConversationStart {
  readonly agent: OpenAgent;
  readonly model: OpenModel;
  readonly log: SessionLog;
  readonly messages: readonly Message[];
}

/** The state of a conversation. Only the files in this folder change it. */
export interface ConversationState {
  agent: OpenAgent;
  model: OpenModel;
  log: SessionLog;
  messages: readonly Message[];
  mode: PermissionMode;
  /** Whether the model was told that plan mode is on. */
  isToldPlan: boolean;
  runner: ToolRunner;
  /** When the current session started here, and what it has used since. */
  startedMs: number;
  usage: Usage;
  cost: Cost;
  /** How much of the cost is part of the day's sum already. */
  recordedDollars: number;
  /** How much the user allowed, above the budgets of the settings. */
  allowedDollars: AllowedDollars;
  requests: number;
  /** The model that is asked for a summary, until it has answered. */
  summarizer: string | undefined;
  readonly notes: ConversationNotes;
  /** What the model must know with the next message of the user. */
  pendingNotes: readonly string[];
  /** Absent when none is configured. */
  hooks: Promise<SessionHooks> | undefined;
  /** How the conversation came to be, until the hooks that run at its start have started. */
  startSource: StartSource | undefined;
  /** Whether the next message is the first one after a start, a resume or a reload. */
  isOpening: boolean;
}

/** The state before the first message. */
export function startState(setup: ConversationSetup, start: ConversationStart): ConversationState {
  const state: ConversationState = {
    ...start,
    ...nothingSpent(setup),
    mode: start.agent.policy.mode,
    isToldPlan: wasToldPlan(start.messages),
    isOpening: true,
    pendingNotes: [],
    summarizer: undefined,
    allowedDollars: { session: 0, day: 0 },
    notes: createConversationNotes(() => notesContext(state), setup.clock.nowMs),
    runner: newRunner(start, () => state, setup),
    hooks: openHooks(start, () => state, setup),
    startSource: start.messages.length === 0 ? "startup" : "resume",
  };
  // Without a screen, the first request comes at once, and goes first.
  if (setup.view.ask !== undefined) runStartHooks(state);
  state.notes.restart(state.messages);
  setCurrent(setup, state.log);
  return state;
}

/** Continues with another prompt, log or history. Whatever `next` leaves out stays. */
export async function continueWith(
  state: ConversationState,
  setup: ConversationSetup,
  next: Partial<ConversationStart>,
): Promise<void> {
  if (next.log !== undefined) {
    await state.log.close();
    Object.assign(state, nothingSpent(setup));
  }
  const isOtherMode =
    next.agent !== undefined && next.agent.policy.mode !== state.agent.policy.mode;
  // A mode that changed in the settings applies from here on; otherwise the mode chosen in the conversation stays.
  if (isOtherMode) state.mode = next.agent.policy.mode;
  if (next.agent !== undefined) state.agent.search?.stop();
  Object.assign(state, next, { isOpening: true });
  if (next.messages !== undefined) {
    // They are about what the model has seen.
    state.pendingNotes = [];
    state.notes.restart(next.messages);
    state.isToldPlan = wasToldPlan(next.messages);
  }
  if (next.agent !== undefined) reopenHooks(state, setup, next);
  renewRunner(state, setup);
  setCurrent(setup, state.log);
  for (const { message } of next.agent?.warnings ?? [])
    setup.view.emit({ type: "notice", message });
}

function setCurrent({ current }: ConversationSetup, log: SessionLog): void {
  current.sessionId = log.id;
  current.log = log;
}

function nothingSpent({
  clock,
}: ConversationSetup): Pick<
  ConversationState,
  "startedMs" | "usage" | "cost" | "recordedDollars" | "requests"
> {
  return {
    startedMs: clock.nowMs(),
    usage: NO_USAGE,
    cost: NO_COST,
    recordedDollars: 0,
    requests: 0,
  };
}

/** "Always" applies to this workspace, and the user's keys are masked in every result. */
function newRunner(
  { agent, log, messages }: Pick<ConversationStart, "agent" | "log" | "messages">,
  state: () => ConversationState,
  { approvals, view, clock }: ConversationSetup,
): ToolRunner {
  const tools = [...agent.tools, ...agent.deniedTools];
  return createToolRunner({
    tools,
    approvals,
    policy: () => policyOf(state()),
    reservedReason: createReservedReason(
      agent.project,
      agent.project.settings.values["memory.write"],
    ),
    session: log.id,
    seenBefore: seenInMessages(messages, tools),
    notify: view.notify,
    ask: view.ask,
    mask: secretMask(agent),
    beforeCall: async (call) => await (await state().hooks)?.beforeCall(call),
    afterCall: async (finished) => await (await state().hooks)?.afterCall(finished),
    annotate: async (finished) => await state().notes.forCall(finished),
    annotateLimits: { clock },
  });
}

function openHooks(
  { agent }: Pick<ConversationStart, "agent">,
  state: () => ConversationState,
  { view }: ConversationSetup,
): ConversationState["hooks"] {
  return openSessionHooks({
    project: agent.project,
    notify: (message) => view.notify({ kind: "general", message }),
    facts: () => ({ sessionId: state().log.id, mode: state().mode }),
  });
}

/** The settings were read again, so other hooks may be configured. */
function reopenHooks(
  state: ConversationState,
  setup: ConversationSetup,
  { messages }: Partial<ConversationStart>,
): void {
  withHooks(state, ({ close }) => void close());
  state.hooks = openHooks(state, () => state, setup);
  const kinds = { none: "reload", empty: "clear", some: "resume" } as const;
  state.startSource =
    kinds[messages === undefined ? "none" : messages.length === 0 ? "empty" : "some"];
  runStartHooks(state);
}

/** Starts the hooks that run at the start of a conversation, in the background and once. */
export function runStartHooks(state: ConversationState): void {
  const { startSource } = state;
  state.startSource = undefined;
  if (startSource !== undefined) withHooks(state, ({ onStart }) => onStart(startSource));
}

/** Uses the hooks when they are open, without waiting for them. A failure is reported where they are awaited. */
export function withHooks(
  { hooks }: Pick<ConversationState, "hooks">,
  action: (hooks: SessionHooks) => void,
): void {
  hooks?.then(action).catch(() => undefined);
}

/** Lets the tools know what the messages contain now. */
export function renewRunner(state: ConversationState, setup: ConversationSetup): void {
  state.runner = newRunner(state, () => state, setup);
}

/** Masks the user's keys. */
export function secretMask({ project }: Pick<OpenAgent, "project">): (text: string) => string {
  return createSecretMask(secretValues(project.settings, project.environment.env));
}

/** The rules of the prompt, in the current mode. */
export function policyOf({ agent, mode }: ConversationState): PermissionPolicy {
  return { ...agent.currentPolicy(), mode };
}

/** What decides about notes now. */
export function notesContext(state: ConversationState): NotesContext {
  return {
    ...state.agent,
    // Read on demand, because it checks whether the enforced rules have changed.
    get policy() {
      return policyOf(state);
    },
  };
}
