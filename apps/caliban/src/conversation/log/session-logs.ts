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
  type WriterSurroundings,
} from "@caliban/sessions/node";
import type { Project } from "../../project/project.ts";
import { createSessionLog, noopLog, type SessionLog } from "./session-log.ts";

export interface SessionLogsInput {
  readonly project: Project;
  /** What is kept about this project; nothing is kept without it. */
  readonly projectHome: string | undefined;
  readonly isSaved: boolean;
  /** Whether later sessions may learn from those that are begun or taken up here. */
  readonly isLearnedFrom: boolean;
  readonly notify: (line: string) => void;
}

/** A log with what stands in it. */
export interface ResumedLog {
  readonly log: SessionLog;
  readonly messages: readonly Message[];
  /** `provider/model` that the session used last. */
  readonly model?: string | undefined;
}

/** Which session a conversation begins with. */
export type SessionRequest =
  | { readonly kind: "new" }
  | { readonly kind: "latest" }
  | { readonly kind: "id"; readonly id: string }
  /** Goes on with the session of that name, or begins it. */
  | { readonly kind: "name"; readonly name: string };

/** Where the sessions of a workspace are begun and taken up again. */
export interface SessionLogs {
  readonly begin: (modelName: string, name?: string) => SessionLog;
  /** @throws SessionsError when there is no such session */
  readonly resume: (id: string) => Promise<ResumedLog>;
  /** What the wish leads to; `undefined` for a new session. @throws SessionsError */
  readonly find: (wish: SessionRequest) => SessionId | undefined;
}

export function createSessionLogs(input: SessionLogsInput): SessionLogs {
  const directory = directoryOf(input);
  return {
    begin: (model, name) => beginLog(input, model, name),
    resume: (wanted) => resumeLog(input, wanted),
    find: (wish) => {
      if (directory === undefined || wish.kind === "new") return undefined;
      if (wish.kind === "latest") return latestSession(directory, input.project.workspace.root);
      if (wish.kind === "name") return sessionNamed(directory, parseSessionName(wish.name));
      return findSession(directory, wish.id);
    },
  };
}

function directoryOf({ projectHome }: SessionLogsInput): string | undefined {
  return projectHome === undefined ? undefined : join(projectHome, "sessions");
}

function beginLog(input: SessionLogsInput, model: string, name: string | undefined): SessionLog {
  const id = newId(input);
  if (!input.isSaved || directoryOf(input) === undefined) return noopLog(id);
  const { around, hasFailed } = watchWriter(input);
  const facts = { ...placeOf(input), model };
  const writer = createSessionWriter({
    ...around,
    id,
    facts: name === undefined ? facts : { ...facts, name },
    directory: () => preparedDirectory(input),
  });
  return createSessionLog(writer, hasFailed);
}

async function resumeLog(input: SessionLogsInput, wanted: string): Promise<ResumedLog> {
  // Without a home there are no sessions, which finding one says.
  const directory = directoryOf(input) ?? "";
  const id = findSession(directory, wanted);
  const { around, hasFailed } = watchWriter(input);
  const resumed = await resumeSession({
    ...around,
    directory,
    id,
    facts: placeOf(input),
    createId: () => newId(input),
  });
  for (const { sentence } of resumed.diagnostics) input.notify(`session ${id}: ${sentence}`);
  if (resumed.apart !== undefined) input.notify(APART[resumed.apart]);
  const { messages, model, writer } = resumed;
  if (input.isSaved) return { log: createSessionLog(writer, hasFailed), messages, model };
  await writer.close();
  return { log: noopLog(newId(input)), messages, model };
}

function newId({ project: { host } }: SessionLogsInput): SessionId {
  return createSessionId(host.now(), Math.random);
}

function placeOf({ project, isLearnedFrom }: SessionLogsInput): Omit<SessionFacts, "model"> {
  const { root: workspace, startDirectory: cwd } = project.workspace;
  const place = { workspace, cwd, version: project.host.version };
  return isLearnedFrom ? place : { ...place, learn: false };
}

/** A disk that refuses is said once, and remembered. */
function watchWriter({ project, notify }: SessionLogsInput): {
  readonly around: WriterSurroundings;
  readonly hasFailed: () => boolean;
} {
  let failed = false;
  const onFailure = (sentence: string): void => {
    failed = true;
    notify(sentence);
  };
  return { around: { now: project.host.now, onFailure }, hasFailed: () => failed };
}

const APART = {
  "in-use":
    "another process goes on with this session, so this one goes on in a file of its own, which begins with all of it",
  "newer-format":
    "a newer caliban wrote this session, so it goes on in a file of its own, which begins with what could be read",
} as const;

/** Made with the first words, and then the home is held against the repository, as with notes. */
async function preparedDirectory({ project }: SessionLogsInput): Promise<string> {
  const sessions = await project.sessions({ forWriting: true });
  if (sessions === undefined) throw new Error("the project home is no longer available");
  await sessions.prepare();
  return sessions.directory;
}
