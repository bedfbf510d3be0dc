import { join } from "node:path";
import type { Message } from "@caliban/agent-core";
import { createSessionId, parseSessionName, type SessionId } from "@caliban/sessions";
import {
  createSessionWriter,
  findSession,
  latestSession,
  resumeSession,
  type SessionFacts,
  sessionNamed,
  type WriterDependencies,
} from "@caliban/sessions/node";
import type { Project } from "../../project/project.ts";
import { createSessionLog, noopLog, type SessionLog } from "./session-log.ts";

export interface SessionLogsInput {
  readonly project: Project;
  /** Nothing is saved without it. */
  readonly projectHome: string | undefined;
  readonly isSaved: boolean;
  /** Whether the pipeline may learn from these sessions. */
  readonly isLearnedFrom: boolean;
  readonly notify: (line: string) => void;
}

/** A log with its messages. */
interface ResumedLog {
  readonly log: SessionLog;
  readonly messages: readonly Message[];
  /** `provider/model` that the session used last. */
  readonly model?: string | undefined;
}

/** Which session a conversation starts with. */
export type SessionRequest =
  | { readonly kind: "new" }
  | { readonly kind: "latest" }
  | { readonly kind: "id"; readonly id: string }
  /** Resumes the session of that name, or starts it. */
  | { readonly kind: "name"; readonly name: string };

/** Starts and resumes the sessions of a project. */
export interface SessionLogs {
  readonly begin: (modelName: string, name?: string) => SessionLog;
  /** @throws SessionsError when there is no such session */
  readonly resume: (id: string) => Promise<ResumedLog>;
  /** The requested session; `undefined` for a new one. @throws SessionsError */
  readonly find: (request: SessionRequest) => SessionId | undefined;
}

export function createSessionLogs(input: SessionLogsInput): SessionLogs {
  const directory = directoryOf(input);
  return {
    begin: (model, name) => beginLog(input, model, name),
    resume: (id) => resumeLog(input, id),
    find: (request) => {
      if (directory === undefined || request.kind === "new") return undefined;
      if (request.kind === "latest") return latestSession(directory, input.project.workspace.root);
      if (request.kind === "name") return sessionNamed(directory, parseSessionName(request.name));
      return findSession(directory, request.id);
    },
  };
}

function directoryOf({ projectHome }: SessionLogsInput): string | undefined {
  return projectHome === undefined ? undefined : join(projectHome, "sessions");
}

function beginLog(input: SessionLogsInput, model: string, name: string | undefined): SessionLog {
  const id = newId(input);
  if (!input.isSaved || directoryOf(input) === undefined) return noopLog(id);
  const { surroundings, hasFailed } = watchWriter(input);
  const facts = { ...sessionFacts(input), model };
  const writer = createSessionWriter({
    ...surroundings,
    id,
    facts: name === undefined ? facts : { ...facts, name },
    directory: () => preparedDirectory(input),
  });
  return createSessionLog(writer, hasFailed);
}

async function resumeLog(input: SessionLogsInput, requested: string): Promise<ResumedLog> {
  // Without a home directory there are no sessions, which `findSession` reports.
  const directory = directoryOf(input) ?? "";
  const id = findSession(directory, requested);
  const { surroundings, hasFailed } = watchWriter(input);
  const resumed = await resumeSession({
    ...surroundings,
    directory,
    id,
    facts: sessionFacts(input),
    createId: () => newId(input),
  });
  for (const { message: sentence } of resumed.diagnostics)
    input.notify(`session ${id}: ${sentence}`);
  if (resumed.newFileReason !== undefined) input.notify(APART[resumed.newFileReason]);
  const { messages, model, writer } = resumed;
  if (input.isSaved) return { log: createSessionLog(writer, hasFailed), messages, model };
  await writer.close();
  return { log: noopLog(newId(input)), messages, model };
}

function newId({ project: { host } }: SessionLogsInput): SessionId {
  return createSessionId(host.now(), Math.random);
}

function sessionFacts({ project, isLearnedFrom }: SessionLogsInput): Omit<SessionFacts, "model"> {
  const { root: workspace, startDirectory: cwd } = project.workspace;
  const facts = { workspace, cwd, version: project.host.version };
  return isLearnedFrom ? facts : { ...facts, learn: false };
}

/** Remembers that a write failed, and reports it. */
function watchWriter({ project, notify }: SessionLogsInput): {
  readonly surroundings: WriterDependencies;
  readonly hasFailed: () => boolean;
} {
  let failed = false;
  const onFailure = (message: string): void => {
    failed = true;
    notify(message);
  };
  return { surroundings: { now: project.host.now, onFailure }, hasFailed: () => failed };
}

const APART = {
  "in-use": "another process is using this session, so a copy of it continues in a new session",
  "newer-format":
    "a newer version of caliban wrote this session, so a copy of its readable part continues in a new session",
} as const;

/** Created with the first message, after the project home was checked against the repository. */
async function preparedDirectory({ project }: SessionLogsInput): Promise<string> {
  const sessions = await project.sessions({ forWriting: true });
  if (sessions === undefined) throw new Error("the project home is no longer available");
  await sessions.prepare();
  return sessions.directory;
}
