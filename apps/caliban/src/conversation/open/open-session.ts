import { withCommands } from "@caliban/common";
import { createSessionLogs, type SessionLogs, type SessionRequest } from "@caliban/sessions/node";
import { sessionsDirectory } from "../../project/locations.ts";
import type { Project } from "../../project/project.ts";
import { isUsageError } from "../../usage-error.ts";
import type { ConversationSetup, ConversationStart, OpenModel } from "../turn/state.ts";

type SessionSetup = Pick<ConversationSetup, "logs" | "models" | "view">;

/** A log with its messages, and the model that continues it. */
export type OpenSession = Pick<ConversationStart, "log" | "messages" | "model">;

export interface OpenSessionInput {
  readonly project: Project;
  readonly request: SessionRequest;
  readonly modelName: string | undefined;
  /** Set when no session can change which model is used, so that it is being opened already. */
  readonly earlyModel: Promise<OpenModel> | undefined;
}

/** Starts a new session, or resumes the requested one with the model it used. */
export async function openSession(
  input: OpenSessionInput,
  setup: SessionSetup,
): Promise<OpenSession> {
  const { project, request, modelName, earlyModel } = input;
  const { logs, models, view } = setup;
  const id = logs.find(request);
  if (id !== undefined) return await resume(id, input, setup);
  if (request.kind === "latest") {
    view.notify({ kind: "general", message: "no session to continue; starting a new one" });
  }
  const model = await (earlyModel ?? models.open(modelName, project));
  const name = request.kind === "name" ? request.name : undefined;
  return { model, log: logs.begin(model.modelName, name), messages: [] };
}

/** Resumes another session during a conversation, with its own model whatever was named at the start. */
export async function resumeSession(
  id: string,
  project: Project,
  setup: SessionSetup,
): Promise<OpenSession> {
  return await resume(id, { project, modelName: undefined, earlyModel: undefined }, setup);
}

async function resume(
  id: string,
  input: Omit<OpenSessionInput, "request">,
  setup: SessionSetup,
): Promise<OpenSession> {
  const { log, messages, model: usedName } = await setup.logs.resume(id);
  const model = await modelFor(usedName, input, setup);
  if (model.modelName !== usedName) log.record({ type: "model", model: model.modelName });
  return { log, messages, model };
}

/** The session's own model, unless another was named. One that is no longer available is reported and replaced. */
async function modelFor(
  usedName: string | undefined,
  { project, modelName, earlyModel }: Omit<OpenSessionInput, "request">,
  { models, view }: SessionSetup,
): Promise<OpenModel> {
  if (earlyModel !== undefined) return await earlyModel;
  if (usedName === undefined || modelName !== undefined)
    return await models.open(modelName, project);
  try {
    return await models.open(usedName, project);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    const message = withCommands`the model of this session, ${usedName}, is not available: ${error}`;
    view.notify({ kind: "general", ...message });
    return await models.open(undefined, project);
  }
}

export interface ProjectLogsInput {
  readonly isSaved: boolean;
  /** Whether the pipeline may learn from these sessions; true by default. */
  readonly isLearnedFrom?: boolean | undefined;
  /** Whether a user is there to answer questions. */
  readonly canAsk?: boolean | undefined;
  /** Nothing is saved without it. */
  readonly projectHome: string | undefined;
  readonly notify: (message: string) => void;
}

/** Starts and resumes the sessions of a project. */
export function projectLogs(project: Project, input: ProjectLogsInput): SessionLogs {
  const { host, options, workspace } = project;
  const { projectHome, isSaved, isLearnedFrom = true, canAsk = false, notify } = input;
  const facts = {
    workspace: workspace.root,
    cwd: workspace.startDirectory,
    version: host.version,
    ...(canAsk ? {} : { unattended: true as const }),
  };
  return createSessionLogs({
    directory: projectHome && sessionsDirectory(projectHome),
    prepareDirectory: async () => {
      // Checked against the repository before anything is written.
      const sessions = await project.sessions({ forWriting: true });
      if (sessions === undefined) throw new Error("the project home is no longer available");
      await sessions.prepare();
      return sessions.directory;
    },
    isSaved: isSaved && !options.bare,
    facts: isLearnedFrom && options.memory ? facts : { ...facts, learn: false },
    now: host.now,
    notify,
  });
}
