import { closeSync } from "node:fs";
import { join } from "node:path";
import { requireArguments } from "@caliban/common";
import { hasCode } from "@caliban/common/node";
import { FORMAT_VERSION } from "../record/record.ts";
import type { SessionRecord } from "../record/record.ts";
import { replay, type ReplayedSession, timelineOf } from "../transcript/replay.ts";
import { createTimeline, type Timeline } from "../transcript/timeline.ts";
import { type SessionId, sessionFileName } from "../identity/session-id.ts";
import { createSessionWriter, type SessionFacts } from "./create-session-writer.ts";
import { readSession } from "./read-session.ts";
import { openToAppend, openToRead } from "./session-file.ts";
import { lockSession, type SessionLock } from "./session-lock.ts";
import { createWriter, type SessionWriter, type WriterDependencies } from "./session-writer.ts";

export interface ResumeSessionInput extends WriterDependencies {
  readonly directory: string;
  readonly id: SessionId;
  /** Facts of the resuming process. The caller appends a changed name or model itself. */
  readonly facts: Omit<SessionFacts, "name" | "continues" | "model"> & {
    /** Omit it to continue with the model that the session used last. */
    readonly model?: string | undefined;
  };
  /** Creates the id of a new file, for when the session's own file cannot be used. */
  readonly createId: () => SessionId;
}

/** A stored session with a writer to continue it. */
export interface ResumedSession extends ReplayedSession {
  readonly writer: SessionWriter;
  /** The points to which the session can be rewound. */
  readonly timeline: Timeline;
  /** Why the session continues in a new file, which begins with the whole conversation; `undefined` if it does not. */
  readonly newFileReason?: "in-use" | "newer-format" | undefined;
}

/**
 * Reads a session and opens it for appending. If another process uses it, or a newer version wrote it, the session continues
 * in a new file, so that two conversations never mix.
 *
 * @example
 * import { createSessionId } from "@caliban/sessions";
 * import { createSessionWriter, resumeSession } from "@caliban/sessions/node";
 *
 * const directory = "sessions";
 * const facts = { workspace: "/app", cwd: "/app", model: "anthropic/claude", version: "1.0.0" };
 * const createId = () => createSessionId(Date.now(), Math.random);
 * const first = createSessionWriter({ id: createId(), directory: async () => directory, facts });
 * await first.open();
 * first.append({ type: "message", message: { role: "user", text: "How do we deploy?" } });
 * await first.close();
 *
 * const { messages, writer } = await resumeSession({ directory, id: first.id, facts, createId });
 * console.log(messages.length); // 1
 * await writer.close();
 *
 * @throws SessionsError `NOT_FOUND` or `UNREADABLE`
 */
export async function resumeSession(input: ResumeSessionInput): Promise<ResumedSession> {
  requireArguments("resumeSession", input, ["directory", "id", "facts", "createId"]);
  const { directory, id } = input;
  const path = join(directory, sessionFileName(id));
  // Otherwise a lock would be created for a missing session.
  closeSync(openToRead(path));
  const lock = await tryLockSession(path);
  let keepsLock = false;
  try {
    // Under the lock, because the file may grow until then.
    const transcript = await readSession(directory, id);
    const session = replay(transcript);
    const { records } = transcript;
    if (lock === undefined) return continueInNewFile(input, { session, records, reason: "in-use" });
    if (isNewer(session))
      return continueInNewFile(input, { session, records, reason: "newer-format" });
    keepsLock = true;
    const timeline = timelineOf(records);
    return { ...session, timeline, writer: createResumedWriter(input, session, { path, lock }) };
  } finally {
    if (!keepsLock) await lock?.release();
  }
}

function isNewer({ start }: ReplayedSession): boolean {
  return start !== undefined && start.v > FORMAT_VERSION;
}

/** Where no lock can be created, nothing can be appended either, and the writer reports that. */
async function tryLockSession(path: string): Promise<SessionLock | undefined> {
  try {
    return await lockSession(path);
  } catch (error) {
    if (!hasCode(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT")) throw error;
    return { release: async () => undefined };
  }
}

function createResumedWriter(
  input: ResumeSessionInput,
  session: ReplayedSession,
  { path, lock }: { readonly path: string; readonly lock: SessionLock },
): SessionWriter {
  const { messageCount, exchangeCount, name } = session;
  const { cwd, model, version, learn } = factsOf(input, session);
  const optOut = learn === false ? { learn } : {};
  return createWriter(
    {
      id: input.id,
      prepare: async () => undefined,
      openFile: () => openToAppend(path),
      preamble: (_, at) => [{ type: "resumed", at, cwd, model, version, ...optOut }],
      release: lock.release,
      messageCount,
      exchangeCount,
      name,
    },
    input,
  );
}

function factsOf(
  { facts }: ResumeSessionInput,
  { model: used = "" }: ReplayedSession,
): Omit<SessionFacts, "name" | "continues"> {
  return { ...facts, model: facts.model ?? used };
}

interface ContinuedSession {
  readonly session: ReplayedSession;
  readonly records: readonly SessionRecord[];
  readonly reason: "in-use" | "newer-format";
}

function continueInNewFile(
  input: ResumeSessionInput,
  { session, records, reason }: ContinuedSession,
): ResumedSession {
  const writer = createSessionWriter({
    ...input,
    id: input.createId(),
    directory: async () => input.directory,
    // The name stays with the original session, because a name must lead to one session.
    facts: {
      ...factsOf(input, session),
      continues: input.id,
      // The opt-out also applies to the copy.
      ...(session.learn ? {} : { learn: false }),
    },
    carried: session.messages,
  });
  // The new file counts its messages from the beginning.
  const timeline = createTimeline(session.messages);
  // Those of subagents are not copied. What they changed must count, at the latest message it can belong to.
  for (const record of records) if (record.type === "subagent") timeline.add(record);
  return { ...session, writer, timeline, newFileReason: reason };
}
