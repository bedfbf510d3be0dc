import { type AgentEvent, createAttachableView } from "@caliban/agent-core";
import { createStoredApprovals } from "@caliban/tools-builtin/node";
import { hastyClock } from "../../../../packages/agent-core/test/support/manual-clock.ts";
import {
  type ScriptedAnswer,
  scriptedModel,
} from "../../../../packages/agent-core/test/support/scripted-model.ts";
import { type Invocation, NO_OPTIONS } from "../../src/command.ts";
import type { Conversation } from "../../src/conversation/conversation.ts";
import { createConversation } from "../../src/conversation/create-conversation.ts";
import { openAgent } from "../../src/conversation/open/open-agent.ts";
import { projectLogs } from "../../src/conversation/open/open-session.ts";
import { createProjectServers } from "../../src/conversation/prompt/servers.ts";
import type { ConversationSetup, OpenModel } from "../../src/conversation/turn/state.ts";
import { openProject } from "../../src/project/project.ts";
import type { Machine } from "../fake-host.ts";

interface ScriptedConversation {
  readonly conversation: Conversation;
  readonly events: readonly AgentEvent[];
  readonly requests: ReturnType<typeof scriptedModel>["requests"];
}

interface ScriptedConversationInput {
  readonly script: readonly ScriptedAnswer[];
  readonly acceptsImages?: boolean | undefined;
  readonly flags?: Partial<Invocation> | undefined;
}

/** Opens a conversation on a real disk, with real tools, a stored session and a scripted model. */
export async function openScriptedConversation(
  { host }: Machine,
  { script, acceptsImages, flags }: ScriptedConversationInput,
): Promise<ScriptedConversation> {
  const project = await openProject({ ...NO_OPTIONS, host, ...flags });
  const memory = await project.memory();
  const { model, requests } = scriptedModel(script);
  const events: AgentEvent[] = [];
  const open: OpenModel = {
    model,
    modelName: "test/scripted",
    contextWindow: 100_000,
    acceptsImages,
  };
  const view = createAttachableView({ canAsk: false });
  view.attach({ emit: (event) => void events.push(event), notify: () => undefined });
  const { projectHome } = memory;
  const logs = projectLogs(project, { projectHome, isSaved: true, notify: () => undefined });
  const setup: ConversationSetup = {
    view,
    clock: { ...hastyClock(), nowMs: host.now },
    maxSteps: 5,
    overrides: {},
    askImport: undefined,
    models: { open: async () => open, openSmall: async () => undefined },
    logs,
    approvals: createStoredApprovals({ ...project.environment, workspace: project.workspace }),
    servers: createProjectServers({ notify: () => undefined }),
    current: {},
  };
  const agent = await openAgent(project, memory, setup);
  const log = logs.begin(open.modelName);
  return {
    conversation: createConversation(setup, { agent, model: open, log, messages: [] }),
    events,
    requests,
  };
}
