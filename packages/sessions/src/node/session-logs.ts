import { createSessionId, type SessionId } from "../identity/session-id.ts";
import { parseSessionName } from "../identity/session-name.ts";
import { type SessionEvent, toRecord } from "../record/session-event.ts";
import type { SessionMessage } from "../record/session-message.ts";
import { createTimeline, type Timeline } from "../transcript/timeline.ts";
import { createSessionWriter, type SessionFacts } from "./create-session-writer.ts";
import { findSession, latestSession, sessionNamed } from "./find-session.ts";
import { resumeSession } from "./resume-session.ts";
import type { SessionWriter, WriterDependencies } from "./session-writer.ts";

/** Records one conversation. */
export interface SessionLog {
  readonly id: string;
  /** Whether the session is meant to be on disk. */
  readonly isStored: boolean;
  /** Whether the session is on disk; false once the disk refused a write. */
  readonly isSaved: () => boolean;
  /** The event is written when this returns, once the file is open. */
  readonly record: (event: SessionEvent) => void;
  /** Await this before anything irreversible, so that what led to it is on disk first. */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** Everything recorded so far, and the points to which the conversation can be rewound. */
  readonly timeline: () => Omit<Timeline, "add">;
}

/** Which session a conversation starts with. */
export type SessionRequest =
  | { readonly kind: "new" }
  | { readonly kind: "latest" }
  | { readonly kind: "id"; readonly id: string }
  /** Resumes the session of that name, or starts it. */
  | { readonly kind: "name"; readonly name: string };

/** Starts and resumes the sessions of a directory. */
export interface SessionLogs {
  readonly begin: (model: string, name?: string) => SessionLog;
  /** @throws SessionsError when there is no such session */
  readonly resume: (id: string) => Promise<ResumedLog>;
  /** The requested session; `undefined` for a new one. @throws SessionsError */
  readonly find: (request: SessionRequest) => SessionId | undefined;
}

/** A log with its messages. */
interface ResumedLog {
  readonly log: SessionLog;
  readonly messages: readonly SessionMessage[];
  /** `provider/model` that the session used last. */
  readonly model?: string | undefined;
}

export interface SessionLogsInput {
  /** Nothing is stored or found without it. */
  readonly directory: string | undefined;
  /**
   * Returns the directory for a new session, which may be another one by now. Called with its first message, so that the
   * cost is not paid before.
   */
  readonly prepareDirectory?: (() => Promise<string>) | undefined;
  /** False resumes sessions, but stores nothing. */
  readonly isSaved?: boolean | undefined;
  readonly facts: Omit<SessionFacts, "model" | "name" | "continues">;
  /** Milliseconds since 1970; the system clock by default. */
  readonly now?: (() => number) | undefined;
  /** Receives messages about damaged files, copies, and a disk that refuses to write. */
  readonly notify: (message: string) => void;
}

/**
 * Creates the logs of an agent. Their files are opened in the background: the first request to a model does not wait.
 *
 * @example
 * import { createSessionLogs } from "@caliban/sessions/node";
 *
 * const facts = { workspace: "/app", cwd: "/app", version: "1.0.0" };
 * const logs = createSessionLogs({ directory: "sessions", facts, notify: console.error });
 * const log = logs.begin("anthropic/claude");
 * log.record({ type: "message", message: { role: "user", text: "How do we deploy?" } });
 * await log.close();
 * const { messages } = await logs.resume(log.id);
 * console.log(messages.length); // 1
 */
export function createSessionLogs(input: SessionLogsInput): SessionLogs {
  const { directory, facts, isSaved = true } = input;
  return {
    begin: (model, name) => {
      const id = newId(input);
      if (!isSaved || directory === undefined) return noopLog(id);
      const { dependencies, hasFailed } = watchFailures(input);
      const writer = createSessionWriter({
        ...dependencies,
        id,
        facts: name === undefined ? { ...facts, model } : { ...facts, model, name },
        directory: input.prepareDirectory ?? (async () => directory),
      });
      return toLog(writer, { ...input, hasFailed, timeline: createTimeline() });
    },
    resume: (id) => resumeLog(input, id),
    find: (request) => {
      if (directory === undefined || request.kind === "new") return undefined;
      if (request.kind === "latest") return latestSession(directory, facts.workspace);
      if (request.kind === "name") return sessionNamed(directory, parseSessionName(request.name));
      return findSession(directory, request.id);
    },
  };
}

async function resumeLog(input: SessionLogsInput, requested: string): Promise<ResumedLog> {
  // Without a directory there are no sessions, which `findSession` reports.
  const { directory = "", facts, isSaved = true, notify } = input;
  const id = findSession(directory, requested);
  const { dependencies, hasFailed } = watchFailures(input);
  const resumed = await resumeSession({
    ...dependencies,
    directory,
    id,
    facts,
    createId: () => newId(input),
  });
  for (const { message } of resumed.diagnostics) notify(`session ${id}: ${message}`);
  if (resumed.newFileReason !== undefined) notify(NEW_FILE[resumed.newFileReason]);
  const { messages, model, writer, timeline } = resumed;
  if (isSaved) return { log: toLog(writer, { ...input, hasFailed, timeline }), messages, model };
  await writer.close();
  return { log: noopLog(newId(input), createTimeline(messages)), messages, model };
}

const NEW_FILE = {
  "in-use": "another process is using this session, so a copy of it continues in a new session",
  "newer-format":
    "a newer version of caliban wrote this session, so a copy of its readable part continues in a new session",
} as const;

function newId({ now = Date.now }: SessionLogsInput): SessionId {
  return createSessionId(now(), Math.random);
}

/** Remembers that a write failed, and reports it. */
function watchFailures({ now, notify }: SessionLogsInput): {
  readonly dependencies: WriterDependencies;
  readonly hasFailed: () => boolean;
} {
  let failed = false;
  const onFailure = (message: string): void => {
    failed = true;
    notify(message);
  };
  return { dependencies: { now, onFailure }, hasFailed: () => failed };
}

interface LogSources extends Pick<SessionLogsInput, "now"> {
  readonly hasFailed: () => boolean;
  readonly timeline: Timeline;
}

function toLog(
  writer: SessionWriter,
  { hasFailed, timeline, now = Date.now }: LogSources,
): SessionLog {
  let opening: Promise<void> | undefined;
  return {
    id: writer.id,
    isStored: true,
    // A full disk may have room again, and then everything is written.
    isSaved: () => !hasFailed() || writer.isSaved(),
    record: (event) => {
      const record = toRecord(event);
      if (record === undefined) return;
      // A model can be chosen long before there is anything to store.
      if (record.type !== "model") opening ??= writer.open();
      writer.append(record);
      timeline.add({ ...record, at: new Date(now()).toISOString() });
    },
    timeline: () => timeline,
    ready: async () => await opening,
    close: async () => {
      await opening;
      await writer.close();
    },
  };
}

function noopLog(id: SessionId, timeline = createTimeline()): SessionLog {
  return {
    id,
    isStored: false,
    isSaved: () => false,
    record: (event) => {
      const record = toRecord(event);
      if (record !== undefined) timeline.add(record);
    },
    timeline: () => timeline,
    ready: async () => undefined,
    close: async () => undefined,
  };
}
