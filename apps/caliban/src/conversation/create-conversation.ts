import { createInterruptibleQueue, type InterruptibleQueue } from "@caliban/common";
import type { Receipt } from "@caliban/memory";
import type { SettingValues } from "@caliban/settings";
import type {
  Conversation,
  ConversationChanges,
  ConversationQueries,
  ToolsChange,
} from "./conversation.ts";
import { recallStatus } from "./notes/recall-search.ts";
import { reopenAgent } from "./open/open-agent.ts";
import { resumeSession } from "./open/open-session.ts";
import { linkPlan } from "./tool-hosts/link-plan.ts";
import { linkSubagents } from "./tool-hosts/link-subagents.ts";
import {
  continueWith,
  type ConversationSetup,
  type ConversationStart,
  type ConversationState,
  notesContext,
  type OpenAgent,
  type OpenModel,
  policyOf,
  startState,
} from "./turn/state.ts";
import { runCompaction, runMessage } from "./turn/run-message.ts";
import { windowParts } from "./turn/window-use.ts";

/** Creates a conversation that records every event in its log as it happens. */
export function createConversation(
  setup: ConversationSetup,
  start: ConversationStart,
): Conversation {
  const state = startState(setup, start);
  linkSubagents(state, setup);
  linkPlan(state, setup);
  const { run: inTurn, interrupt } = createInterruptibleQueue();
  const { view, approvals, servers } = setup;
  return {
    ...queries(state, setup),
    ...changes(state, setup, inTurn),
    attach: view.attach,
    send: (text, options) =>
      inTurn((signal) => runMessage(state, setup, { text, signal, ...options })),
    compact: (instructions) =>
      inTurn((signal) => runCompaction(state, setup, { instructions, signal })),
    remember: async (fact) => {
      const { saveFact } = await import("./turn/save-fact.ts");
      return await saveFact(state, setup, fact);
    },
    runCommand: (command) =>
      inTurn(async (signal) => {
        const { runUserCommand } = await import("./turn/run-user-command.ts");
        await runUserCommand(state, setup, { command, signal });
      }),
    holdsSecret: async (text) => {
      const { holdsSecret } = await import("./turn/holds-secret.ts");
      return await holdsSecret(state, text);
    },
    waitingProposals: async () => {
      const { countWaiting } = await import("../project/inbox.ts");
      return await countWaiting(state.agent.project);
    },
    hooks: async () => {
      const { summarizeHooks } = await import("../hooks/summarize-hooks.ts");
      return await summarizeHooks(state.agent.project, (await state.hooks)?.runs());
    },
    approvals: approvals.list,
    forget: approvals.forget,
    interrupt: () => {
      servers.stopWaiting();
      return interrupt();
    },
    close: async () => {
      interrupt();
      state.agent.search?.stop();
      await (await state.hooks)?.close();
      await inTurn(() => state.log.close());
      await servers.close();
    },
  };
}

function queries(state: ConversationState, setup: ConversationSetup): ConversationQueries {
  return {
    id: () => state.log.id,
    isSaved: () => state.log.isSaved(),
    model: () => state.model.modelName,
    defaultModel: () => state.agent.project.settings.values["models.default"],
    messages: () => state.messages,
    policy: () => policyOf(state),
    tools: () => state.agent.tools,
    skills: () => state.agent.skills,
    receipt: () => currentReceipt(state, setup),
    servers: () => setup.servers.statuses(),
    windowUse: () => ({
      windowTokens: state.model.contextWindow,
      parts: windowParts(state.agent, state.messages),
    }),
    spent: () => {
      const { usage, cost, requests, startedMs } = state;
      return { usage, cost, requests, elapsedMs: setup.clock.nowMs() - startedMs };
    },
    screenSettings: () => {
      const { values } = state.agent.project.settings;
      return { theme: values["ui.theme"], notify: values["ui.notify"] };
    },
    notes: () => ({ recall: recallStatus(notesContext(state)), count: state.notes.count() }),
    warnings: () => state.agent.warnings,
  };
}

/** The prompt keeps what it was built from, but servers come and go. */
function currentReceipt({ agent }: ConversationState, { servers }: ConversationSetup): Receipt {
  const current = servers.memoryServers();
  return current.length === 0 ? agent.receipt : { ...agent.receipt, servers: current };
}

function changes(
  state: ConversationState,
  setup: ConversationSetup,
  inTurn: InterruptibleQueue["run"],
): ConversationChanges {
  const reopened = async (): Promise<OpenAgent> => await reopenAgent(state.agent.project, setup);
  return {
    clear: () =>
      inTurn(async () => {
        const agent = await reopened();
        const model = await modelAfter(state, setup, agent);
        const log = setup.logs.begin(model.modelName);
        await continueWith(state, setup, { agent, model, log, messages: [] });
      }),
    resume: (id) =>
      inTurn(async () => {
        const agent = await reopened();
        // The running session already contains everything.
        if (id === state.log.id) return await continueWith(state, setup, { agent });
        const resumed = await resumeSession(id, agent.project, setup);
        await continueWith(state, setup, { agent, ...resumed });
      }),
    reload: () =>
      inTurn(async () => {
        await continueWith(state, setup, { agent: await reopened() });
        return currentReceipt(state, setup);
      }),
    rewindChoices: () =>
      inTurn(async () => {
        const { rewindChoices } = await import("./rewind/rewind-points.ts");
        return await rewindChoices(state, setup);
      }),
    rewind: (request) =>
      inTurn(async () => {
        const { rewind } = await import("./rewind/rewind.ts");
        return await rewind(state, setup, request);
      }),
    startServers: setup.servers.start,
    reloadServers: () => inTurn((signal) => reloadServers(state, setup, signal)),
    useModel: (name) =>
      inTurn(async () => {
        state.model = await setup.models.open(name, state.agent.project);
        state.log.record({ type: "model", model: state.model.modelName });
      }),
    useMode: (mode) => {
      state.mode = mode;
    },
    addRule: (list, rule) => state.agent.addRule(list, rule),
  };
}

/** Reads the settings first, because they may name other servers now; then restarts them; then offers their tools. */
async function reloadServers(
  state: ConversationState,
  setup: ConversationSetup,
  signal: AbortSignal,
): Promise<ToolsChange> {
  const before = toolNames(state.agent);
  await reopenAgent(state.agent.project, setup);
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
  });
  await Promise.race([setup.servers.restart(), interrupted]);
  await continueWith(state, setup, { agent: await reopenAgent(state.agent.project, setup) });
  const after = toolNames(state.agent);
  return {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !after.includes(name)),
  };
}

function toolNames({ tools }: OpenAgent): readonly string[] {
  return tools.map(({ name }) => name);
}

/** The same model, unless the user changed the default model or how models are reached. */
async function modelAfter(
  { agent, model }: ConversationState,
  setup: ConversationSetup,
  next: OpenAgent,
): Promise<OpenModel> {
  const [before, after] = [agent, next].map(({ project }) => project.settings.values);
  const isSame = (key: keyof SettingValues): boolean =>
    JSON.stringify(before?.[key]) === JSON.stringify(after?.[key]);
  const hasSameDefault = isSame("models.default");
  if (hasSameDefault && isSame("models.context_window") && isSame("providers")) return model;
  return await setup.models.open(hasSameDefault ? model.modelName : undefined, next.project);
}
