import type { LoadMemoryInput } from "@caliban/memory/node";
import type { Invocation } from "../command.ts";
import { loadSessionMemory, openSession, type Session, type SessionMemory } from "../compose.ts";
import { UsageError } from "../usage-error.ts";
import { composeAgent } from "./compose-agent.ts";
import type { Conversation, ConversationView } from "./conversation.ts";
import type { ConversationStart, OpenAgent, OpenModel } from "./conversation-state.ts";
import { createConversation } from "./create-conversation.ts";
import { openingNote } from "./opening-note.ts";
import type { PromptWishes } from "./prompt-wishes.ts";
import {
  createSessionLogs,
  type SessionLogs,
  type SessionWish,
  type TakenUpLog,
} from "./session-logs.ts";
import type { SessionLog } from "./session-log.ts";
import { openSessionModel, openSmallModel } from "./session-model.ts";
import { createSessionRunner, sessionApprovals } from "./session-runner.ts";
import {
  createSessionServers,
  type SessionServers,
  type SessionServersInput,
} from "./session-servers.ts";
import { startWarnings } from "./start-warnings.ts";
import { systemClock } from "./system-clock.ts";

export interface OpenConversationInput {
  readonly invocation: Invocation;
  readonly view: ConversationView;
  /** `provider/model`; without it, what the resumed session used, the settings say, or the first key is for. */
  readonly modelName?: string | undefined;
  readonly resume?: Extract<SessionWish, { readonly kind: "latest" | "id" }> | undefined;
  /** Goes on with the session of that name, or begins it. */
  readonly sessionName?: string | undefined;
  readonly isSaved: boolean;
  /** False keeps the session out of what is learned from past ones, and so does a run without memory. */
  readonly isLearnedFrom?: boolean | undefined;
  /** Most requests to the model for one message. */
  readonly maxSteps?: number | undefined;
  readonly wishes?: PromptWishes | undefined;
  /** Asks about a file outside the workspace that an instruction file imports. Without it the answer is no. */
  readonly askImport?: LoadMemoryInput["askApproval"];
  /** Asks about an MCP server that the repository wishes for. Without it the answer is no. */
  readonly askServer?: SessionServersInput["ask"];
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
  const session = await openSession(invocation);
  const open = (name: string | undefined): Promise<OpenModel> =>
    openSessionModel(name, host, session);
  // The provider's code is read while memory is.
  const early =
    input.modelName === undefined && wishOf(input).kind !== "new"
      ? undefined
      : open(input.modelName);
  early?.catch(() => undefined);
  const memory = await loadSessionMemory(invocation, session, input.askImport);
  const logs = createSessionLogs({
    host,
    session,
    projectHome: memory.projectHome,
    isSaved: input.isSaved && !invocation.bare,
    isLearnedFrom: input.isLearnedFrom !== false && invocation.memory,
    notify: view.notify,
  });
  const servers = serversOf(input);
  let conversation: Conversation | undefined;
  const sessionId = (): string | undefined => conversation?.id();
  const agent = await openAgent(input, { session, memory, sessionId, servers });
  const approvals = sessionApprovals(host, session);
  const { model, ...taken } = await firstLog(input, logs, { early, open });
  conversation = createConversation(
    {
      view,
      clock: systemClock(host.now),
      maxSteps: input.maxSteps ?? MAX_STEPS,
      composeAgent: async () => {
        // Settings too: what the person changed meanwhile holds from here on.
        const fresh = await openSession(invocation);
        const reloaded = await loadSessionMemory(invocation, fresh, input.askImport);
        return await openAgent(input, { session: fresh, memory: reloaded, sessionId, servers });
      },
      openModel: (name, fresh) => openSessionModel(name, host, fresh),
      newLog: (name) => logs.begin(name),
      openSmallModel: (fresh) => smallModel(input, fresh),
      resumeLog: (id, fresh) => takeUpAgain(input, logs, { id, session: fresh }),
      createRunner: (runner) =>
        createSessionRunner({
          host,
          session: runner.agent.session,
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
function serversOf({ invocation, view, askServer }: OpenConversationInput): SessionServers {
  const { notify, ask } = view;
  const lingerMs = ask === undefined ? LINGER_MS : 0;
  return createSessionServers({ invocation, notify, ask: askServer, lingerMs });
}

async function openAgent(
  { invocation, wishes }: OpenConversationInput,
  made: {
    readonly session: Session;
    readonly memory: SessionMemory;
    readonly sessionId: () => string | undefined;
    readonly servers: SessionServers;
  },
): Promise<OpenAgent> {
  const { session } = made;
  const composed = await composeAgent({ invocation, wishes, ...made });
  const { receipt } = made.memory;
  const warnings = startWarnings({ host: invocation.host, session, receipt, agent: composed });
  return { ...composed, warnings, receipt, session };
}

/** Where the model for small work cannot be had, the one that answers does it, and that is said. */
async function smallModel(
  { invocation, view }: OpenConversationInput,
  session: Session,
): Promise<OpenModel | undefined> {
  try {
    return await openSmallModel(invocation.host, session);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    view.notify(`models.smol cannot be had: ${error.message}`);
    return undefined;
  }
}

function wishOf({ resume, sessionName }: OpenConversationInput): SessionWish {
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
): Promise<Omit<TakenUpLog, "model"> & { readonly model: OpenModel }> {
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
  { id, session }: { readonly id: string; readonly session: Session },
): Promise<Pick<ConversationStart, "log" | "messages" | "model">> {
  const { log, messages, model: used } = await logs.resume(id);
  const open = (name: string | undefined): Promise<OpenModel> =>
    openSessionModel(name, input.invocation.host, session);
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
