import type { LoadMemoryInput } from "@caliban/memory/node";
import type { Invocation } from "../../command.ts";
import type { ProjectMemory } from "../../project/load-memory.ts";
import { openProject, type Project } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";
import { composeAgent, type PromptOverrides, type ComposedAgent } from "../prompt/compose-agent.ts";
import type { Conversation, ConversationView } from "../conversation.ts";
import type { ConversationStart, OpenAgent, OpenModel } from "../state.ts";
import { createConversation } from "../create-conversation.ts";
import { openingNote } from "../turn/run-message.ts";
import { createSessionLogs, type SessionLogs, type SessionRequest, type ResumedLog } from "../log/session-logs.ts";
import type { SessionLog } from "../log/session-log.ts";
import { openProjectModel, openSmallModel } from "./open-model.ts";
import { createConversationRunner, projectApprovals } from "../turn/tool-runner.ts";
import { createConversationServers, type ConversationServers, type ConversationServersInput } from "./servers.ts";
import { systemClock } from "../turn/system-clock.ts";
import { terminalSafeLine } from "@caliban/common";
import { type Receipt, renderGlobalWarning, renderStartLine } from "@caliban/memory";
import { renderProblem } from "@caliban/settings";

export interface OpenConversationInput {
  readonly invocation: Invocation;
  readonly view: ConversationView;
  /** `provider/model`; without it, what the resumed session used, the settings say, or the first key is for. */
  readonly modelName?: string | undefined;
  readonly resume?: Extract<SessionRequest, { readonly kind: "latest" | "id" }> | undefined;
  /** Goes on with the session of that name, or begins it. */
  readonly sessionName?: string | undefined;
  readonly isSaved: boolean;
  /** False keeps the session out of what is learned from past ones, and so does a run without memory. */
  readonly isLearnedFrom?: boolean | undefined;
  /** Most requests to the model for one message. */
  readonly maxSteps?: number | undefined;
  readonly overrides?: PromptOverrides | undefined;
  /** Asks about a file outside the workspace that an instruction file imports. Without it the answer is no. */
  readonly askImport?: LoadMemoryInput["askApproval"];
  /** Asks about an MCP server that the repository wishes for. Without it the answer is no. */
  readonly askServer?: ConversationServersInput["ask"];
}

const MAX_STEPS = 200;
/** After the answer of a run without a screen, for servers whose tools the next run is to know. */
const LINGER_MS = 3_000;

/**
 * Everything between the command line and the first request: settings, memory, tools, prompt, model and session.
 * @throws UsageError, SettingsError, MemoryError or SessionsError for what a person can mend
 */
export async function openConversation(input: OpenConversationInput): Promise<Conversation> {
  const { invocation, view } = input;
  const { host } = invocation;
  const project = await openProject(invocation);
  const open = (name: string | undefined): Promise<OpenModel> => openProjectModel(name, project);
  // The provider's code is read while memory is.
  const early =
    input.modelName === undefined && wishOf(input).kind !== "new"
      ? undefined
      : open(input.modelName);
  early?.catch(() => undefined);
  const memory = await project.memory(input.askImport);
  const logs = createSessionLogs({
    project,
    projectHome: memory.projectHome,
    isSaved: input.isSaved && !invocation.bare,
    isLearnedFrom: input.isLearnedFrom !== false && invocation.memory,
    notify: view.notify,
  });
  const servers = serversOf(input);
  let conversation: Conversation | undefined;
  const sessionId = (): string | undefined => conversation?.id();
  const agent = await openAgent(input, { project, memory, sessionId, servers });
  const approvals = projectApprovals(project);
  const { model, ...taken } = await firstLog(input, logs, { early, open });
  conversation = createConversation(
    {
      view,
      clock: systemClock(host.now),
      maxSteps: input.maxSteps ?? MAX_STEPS,
      composeAgent: async () => {
        // Settings too: what the person changed meanwhile holds from here on.
        const fresh = await openProject(invocation);
        const reloaded = await fresh.memory(input.askImport);
        return await openAgent(input, { project: fresh, memory: reloaded, sessionId, servers });
      },
      openModel: (name, fresh) => openProjectModel(name, fresh),
      newLog: (name) => logs.begin(name),
      openSmallModel: (fresh) => smallModel(input, fresh),
      resumeLog: (id, fresh) => takeUpAgain(input, logs, { id, project: fresh }),
      createRunner: (runner) =>
        createConversationRunner({
          project: runner.agent.project,
          approvals,
          ...runner,
          notify: view.notify,
          ask: view.ask,
        }),
      approvals,
      servers,
      openingNote: () => openingNote(host.now()),
    },
    { agent, model, ...taken },
  );
  return conversation;
}

/** Where somebody answers, the servers are started early, and nobody has to wait for them at the end. */
function serversOf({ view, askServer }: OpenConversationInput): ConversationServers {
  const { notify, ask } = view;
  const lingerMs = ask === undefined ? LINGER_MS : 0;
  return createConversationServers({ notify, ask: askServer, lingerMs });
}

async function openAgent(
  { overrides: wishes }: OpenConversationInput,
  made: {
    readonly project: Project;
    readonly memory: ProjectMemory;
    readonly sessionId: () => string | undefined;
    readonly servers: ConversationServers;
  },
): Promise<OpenAgent> {
  const { project } = made;
  const composed = await composeAgent({ overrides: wishes, ...made });
  const { receipt } = made.memory;
  const warnings = startWarnings({ project, receipt, agent: composed });
  return { ...composed, warnings, receipt, project };
}

/** Where the model for small work cannot be had, the one that answers does it, and that is said. */
async function smallModel(
  { view }: OpenConversationInput,
  project: Project,
): Promise<OpenModel | undefined> {
  try {
    return await openSmallModel(project);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    view.notify(`models.smol cannot be had: ${error.message}`);
    return undefined;
  }
}

function wishOf({ resume, sessionName }: OpenConversationInput): SessionRequest {
  if (sessionName !== undefined) return { kind: "name", name: sessionName };
  return resume ?? { kind: "new" };
}

interface ModelOpening {
  /** Under way already where no session can change it. */
  readonly early?: Promise<OpenModel> | undefined;
  readonly open: (name: string | undefined) => Promise<OpenModel>;
}

/** A new session, or the one that is meant with the model it used. */
async function firstLog(
  input: OpenConversationInput,
  logs: SessionLogs,
  { early, open }: ModelOpening,
): Promise<Omit<ResumedLog, "model"> & { readonly model: OpenModel }> {
  const wish = wishOf(input);
  const id = logs.find(wish);
  if (id === undefined) {
    if (wish.kind === "latest")
      input.view.notify("there is no session to go on with yet; this is a new one");
    const model = await (early ?? open(undefined));
    const log = logs.begin(model.chosen.name, input.sessionName);
    return { model, log, messages: [] };
  }
  const { log, messages, model: used } = await logs.resume(id);
  const model = await usedModel(input, used, { early, open });
  return { model: goingOn(model, used, log), log, messages };
}

/** Another session in mid-conversation, with its own model whatever was named at the start. */
async function takeUpAgain(
  input: OpenConversationInput,
  logs: SessionLogs,
  { id, project }: { readonly id: string; readonly project: Project },
): Promise<Pick<ConversationStart, "log" | "messages" | "model">> {
  const { log, messages, model: used } = await logs.resume(id);
  const open = (name: string | undefined): Promise<OpenModel> => openProjectModel(name, project);
  const model = await usedModel({ ...input, modelName: undefined }, used, { open });
  return { log, messages, model: goingOn(model, used, log) };
}

/** Keeps which model goes on, where it is not the one that the session used last. */
function goingOn(model: OpenModel, used: string | undefined, log: SessionLog): OpenModel {
  if (model.chosen.name !== used) log.useModel(model.chosen.name);
  return model;
}

/** The session's own model, unless another was named; one that can no longer be had is said and replaced. */
async function usedModel(
  { modelName, view }: OpenConversationInput,
  used: string | undefined,
  { early, open }: ModelOpening,
): Promise<OpenModel> {
  if (early !== undefined) return await early;
  if (used === undefined || modelName !== undefined) return await open(modelName);
  try {
    return await open(used);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    view.notify(`${used}, which this session used, cannot be had: ${error.message}`);
    return await open(undefined);
  }
}

export interface StartWarningsInput {
  readonly project: Project;
  readonly receipt: Receipt;
  readonly agent: Pick<ComposedAgent, "warnings">;
}

/** What a person must hear before a conversation begins, one a line: settings, rules, skills, and memory that was cut. */
export function startWarnings(input: StartWarningsInput): readonly string[] {
  const { project, receipt, agent } = input;
  const { home, platform } = project.environment;
  const memory = [
    renderGlobalWarning({ receipt, home, platform }),
    renderStartLine(receipt, "caliban memory explain"),
  ];
  // What was lost of what a person relies on is said itself, not only counted.
  const lost = receipt.notices.filter(({ code }) => code === "LEARNED_NOT_USED");
  return [
    ...project.settings.warnings.map((problem) => terminalSafeLine(renderProblem(problem))),
    ...agent.warnings,
    ...lost.map(({ message: sentence }) => terminalSafeLine(sentence)),
    ...memory.map((line) => line.trimEnd()).filter((line) => line !== ""),
  ];
}
