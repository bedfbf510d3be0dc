import type { Receipt } from "@caliban/memory";
import type { SettingValues } from "@caliban/settings";
import type { Conversation, ToolsChange } from "./conversation.ts";
import {
  type ConversationParts,
  type ConversationStart,
  type ConversationState,
  type OpenAgent,
  type OpenModel,
  policyOf,
  startState,
  takeUp,
} from "./state.ts";
import { runCompaction, runMessage } from "./turn/run-message.ts";
import { windowParts } from "./turn/window-use.ts";

/** A conversation that keeps what is said in its log as it is said. */
export function createConversation(
  parts: ConversationParts,
  start: ConversationStart,
): Conversation {
  const state = startState(parts, start);
  const inTurn = createTurn(state);
  return {
    ...lookAt(state, parts),
    ...changes(state, parts, inTurn),
    send: (text) => inTurn((signal) => runMessage(state, parts, { text, signal })),
    compact: (wish) => inTurn((signal) => runCompaction(state, parts, { wish, signal })),
    approvals: parts.approvals.list,
    forget: parts.approvals.forget,
    interrupt: () => {
      state.running?.abort();
      parts.servers?.hurry();
      return state.running !== undefined;
    },
    close: async () => {
      state.running?.abort();
      state.agent.search?.stop();
      await inTurn(() => state.log.close());
      await parts.servers?.close();
    },
  };
}

type InTurn = <Result>(action: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

/** One thing at a time, each with a signal of its own. */
function createTurn(state: ConversationState): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return async (action) => {
    const next = last.then(async () => {
      const controller = new AbortController();
      state.running = controller;
      try {
        return await action(controller.signal);
      } finally {
        state.running = undefined;
      }
    });
    last = next.catch(() => undefined);
    return await next;
  };
}

type Look = Pick<
  Conversation,
  | "id"
  | "isSaved"
  | "model"
  | "messages"
  | "policy"
  | "tools"
  | "skills"
  | "receipt"
  | "servers"
  | "contextUse"
  | "spent"
  | "warnings"
>;

function lookAt(state: ConversationState, parts: ConversationParts): Look {
  return {
    id: () => state.log.id,
    isSaved: () => state.log.isSaved(),
    model: () => state.model.chosen.name,
    messages: () => state.messages,
    policy: () => policyOf(state),
    tools: () => state.agent.tools,
    skills: () => state.agent.skills,
    receipt: () => receiptNow(state, parts),
    servers: () => parts.servers?.states() ?? [],
    contextUse: () => ({
      windowTokens: state.model.chosen.contextWindow,
      parts: windowParts(state.agent, state.agent.receipt, state.messages),
    }),
    spent: () => {
      const { usage, requests, startedMs } = state;
      return { usage, requests, elapsedMs: parts.clock.nowMs() - startedMs };
    },
    warnings: () => state.agent.warnings,
  };
}

/** Of what a prompt was built from nothing changes, but servers come and go. */
function receiptNow({ agent }: ConversationState, { servers }: ConversationParts): Receipt {
  const now = servers?.memoryServers() ?? [];
  return now.length === 0 ? agent.receipt : { ...agent.receipt, servers: now };
}

type Changes = Pick<
  Conversation,
  "clear" | "resume" | "reload" | "startServers" | "reloadServers" | "useModel" | "useMode"
>;

function changes(state: ConversationState, parts: ConversationParts, inTurn: InTurn): Changes {
  return {
    clear: () =>
      inTurn(async () => {
        const agent = await parts.composeAgent();
        const model = await modelAfter(state, parts, agent);
        const log = parts.newLog(model.chosen.name);
        await takeUp(state, parts, { agent, model, log, messages: [] });
      }),
    resume: (id) =>
      inTurn(async () => {
        const agent = await parts.composeAgent();
        // The one that runs is at its end already.
        if (id === state.log.id) return await takeUp(state, parts, { agent });
        await takeUp(state, parts, { agent, ...(await parts.resumeLog(id, agent.project)) });
      }),
    reload: () =>
      inTurn(async () => {
        await takeUp(state, parts, { agent: await parts.composeAgent() });
        return receiptNow(state, parts);
      }),
    startServers: (say) => parts.servers?.start(say),
    reloadServers: () => inTurn((signal) => reloadServers(state, parts, signal)),
    useModel: (name) =>
      inTurn(async () => {
        state.model = await parts.openModel(name, state.agent.project);
        state.log.useModel(state.model.chosen.name);
      }),
    useMode: (mode) => {
      state.mode = mode;
    },
  };
}

/** First the settings, because there may be other servers by now; then the servers; then what they offer. */
async function reloadServers(
  state: ConversationState,
  parts: ConversationParts,
  signal: AbortSignal,
): Promise<ToolsChange> {
  const before = namesOf(state.agent);
  await parts.composeAgent();
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
  });
  await Promise.race([parts.servers?.restart(), interrupted]);
  await takeUp(state, parts, { agent: await parts.composeAgent() });
  const after = namesOf(state.agent);
  return {
    added: after.filter((name) => !before.includes(name)),
    gone: before.filter((name) => !after.includes(name)),
  };
}

function namesOf({ tools }: OpenAgent): readonly string[] {
  return tools.map(({ name }) => name);
}

/** The same model, unless the person has set another one meanwhile, or something about models. */
async function modelAfter(
  { agent, model }: ConversationState,
  parts: ConversationParts,
  next: OpenAgent,
): Promise<OpenModel> {
  const [before, after] = [modelSettings(agent), modelSettings(next)];
  if (JSON.stringify(before) === JSON.stringify(after)) return model;
  const isOtherDefault = before["models.default"] !== after["models.default"];
  return await parts.openModel(isOtherDefault ? undefined : model.chosen.name, next.project);
}

function modelSettings({
  project,
}: OpenAgent): Pick<SettingValues, "models.default" | "models.context_window" | "providers"> {
  const {
    "models.default": name,
    "models.context_window": window,
    providers,
  } = project.settings.values;
  return { "models.default": name, "models.context_window": window, providers };
}
