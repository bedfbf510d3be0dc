import { join } from "node:path";
import { createAttachableView, SYSTEM_CLOCK } from "@caliban/agent-core";
import { userDirectories } from "@caliban/common";
import type { AskApproval } from "@caliban/mcp/node";
import type { SessionRequest } from "@caliban/sessions/node";
import { createStoredApprovals } from "@caliban/tools-builtin/node";
import { createLazyCheckpoints } from "../checkpoints/lazy-checkpoints.ts";
import type { AskImport } from "../project/load-memory.ts";
import type { Project } from "../project/project.ts";
import type { AskBudget } from "./budget/check-budget.ts";
import type { Conversation } from "./conversation.ts";
import { createConversation } from "./create-conversation.ts";
import { openAgent } from "./open/open-agent.ts";
import { PROJECT_MODELS } from "./open/open-model.ts";
import { openSession, projectLogs } from "./open/open-session.ts";
import type { PromptOverrides } from "./prompt/compose-agent.ts";
import type { AskPlan } from "./plan/ask-plan.ts";
import { createProjectServers } from "./prompt/servers.ts";
import type { ConversationSetup, OpenModel } from "./turn/state.ts";

export interface OpenConversationOptions {
  /** `provider/model`. Without it: the model of the resumed session, of the settings, or of the first key. */
  readonly modelName?: string | undefined;
  /** A new session when left out. */
  readonly session?: SessionRequest | undefined;
  readonly isSaved: boolean;
  /** False keeps the session out of learned memory, and so does a run without memory. */
  readonly isLearnedFrom?: boolean | undefined;
  /** Maximum number of requests for one message. */
  readonly maxSteps?: number | undefined;
  readonly overrides?: PromptOverrides | undefined;
  /** Whether the view can ask the user for permission. Without it, whatever needs permission is denied. */
  readonly canAsk?: boolean | undefined;
  /** Asks about files outside the workspace that instructions import. Without it the answer is no. */
  readonly askImport?: AskImport | undefined;
  /** Asks before a request that would exceed a budget. Without it the turn ends. */
  readonly askBudget?: AskBudget | undefined;
  /** Shows a plan to the user. Without it, a plan is the answer. */
  readonly askPlan?: AskPlan | undefined;
  /** Asks about MCP servers that the repository requests. Without it the answer is no. */
  readonly askServer?: AskApproval | undefined;
}

const MAX_STEPS = 200;
/** How long the end of a run without a screen waits for servers whose tools the next run needs. */
const LINGER_MS = 3_000;

/**
 * Does everything between opening a project and the first request: memory, tools, prompt, model and session.
 * @throws UsageError, SettingsError, MemoryError or SessionsError for problems that the user can fix
 */
export async function openConversation(
  project: Project,
  options: OpenConversationOptions,
): Promise<Conversation> {
  const { host, environment, workspace } = project;
  const { modelName, session = { kind: "new" }, canAsk = false, askImport } = options;
  const view = createAttachableView({ canAsk });
  const notify = (message: string): void => view.notify({ kind: "general", message });
  // The provider's code is loaded while memory is read.
  const earlyModel = openEarly(project, { modelName, session });
  const memory = await project.memory(askImport);
  const current: ConversationSetup["current"] = {};
  const { state } = userDirectories(host);
  const setup: ConversationSetup = {
    view,
    clock: { ...SYSTEM_CLOCK, nowMs: host.now },
    maxSteps: options.maxSteps ?? MAX_STEPS,
    overrides: options.overrides ?? {},
    askImport,
    askBudget: options.askBudget,
    askPlan: options.askPlan,
    models: PROJECT_MODELS,
    logs: projectLogs(project, { ...options, projectHome: memory.projectHome, notify }),
    approvals: createStoredApprovals({ ...environment, workspace }),
    servers: createProjectServers({
      notify,
      ask: options.askServer,
      // On a screen the servers are started early, so that the end need not wait for them.
      lingerMs: canAsk ? 0 : LINGER_MS,
    }),
    current,
    checkpoints: createLazyCheckpoints({
      directory: state && join(state, "checkpoints"),
      log: () => current.log,
      notify,
      now: host.now,
    }),
  };
  const agent = await openAgent(project, memory, setup);
  const opened = await openSession({ project, request: session, modelName, earlyModel }, setup);
  return createConversation(setup, { agent, ...opened });
}

/** `undefined` when the model depends on the session that is resumed. */
function openEarly(
  project: Project,
  { modelName, session }: Required<Pick<OpenConversationOptions, "modelName" | "session">>,
): Promise<OpenModel> | undefined {
  if (modelName === undefined && session?.kind !== "new") return undefined;
  const opening = PROJECT_MODELS.open(modelName, project);
  // A failure is reported where the model is awaited.
  opening.catch(() => undefined);
  return opening;
}
