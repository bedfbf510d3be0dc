import { closeSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "@caliban/common/node";
import { FORMAT_VERSION } from "../record.ts";
import { replay, type ReplayedSession } from "../replay.ts";
import { type SessionId, sessionFileName } from "../session-id.ts";
import { createSessionWriter, type SessionFacts } from "./create-session-writer.ts";
import { readSession } from "./read-session.ts";
import { openToAppend, openToRead } from "./session-file.ts";
import { lockSession, type SessionLock } from "./session-lock.ts";
import { createWriter, type SessionWriter, type WriterSurroundings } from "./session-writer.ts";

export interface ResumeSessionInput extends WriterSurroundings {
  readonly directory: string;
  readonly id: SessionId;
  /** Of the process that goes on; a model or a name that is not the session's own is the caller's to append. */
  readonly facts: Omit<SessionFacts, "name" | "continues" | "model"> & {
    /** Left out when the session goes on with the model it used last. */
    readonly model?: string | undefined;
  };
  /** The id of the file that is written when the session's own cannot be. */
  readonly createId: () => SessionId;
}

/** A stored session, and where it goes on. */
export interface ResumedSession extends ReplayedSession {
  readonly writer: SessionWriter;
  /** Why it goes on in a file of its own, which begins with the whole conversation; `undefined` when it does not. */
  readonly apart?: "in-use" | "newer-format" | undefined;
}

/**
 * Reads a session and opens it for more. While another process goes on with it, or when a newer version wrote it, it
 * goes on in a new file, so that two conversations never run into each other.
 * @throws SessionsError `NOT_FOUND` or `UNREADABLE`
 */
export async function resumeSession(input: ResumeSessionInput): Promise<ResumedSession> {
  const { directory, id } = input;
  const path = join(directory, sessionFileName(id));
  // Otherwise a lock would be made for what is not there.
  closeSync(openToRead(path));
  const lock = await lockUnlessRefused(path);
  let isKept = false;
  try {
    // Under the lock, because until then it may grow.
    const session = replay(await readSession(directory, id));
    if (lock === undefined) return continueApart(input, session, "in-use");
    if (isNewer(session)) return continueApart(input, session, "newer-format");
    isKept = true;
    return { ...session, writer: writerOf(input, session, { path, lock }) };
  } finally {
    if (!isKept) await lock?.release();
  }
}

function isNewer({ start }: ReplayedSession): boolean {
  return start !== undefined && start.v > FORMAT_VERSION;
}

/** Where no lock can be made, nothing can be appended either, which the writer says when it is tried. */
async function lockUnlessRefused(path: string): Promise<SessionLock | undefined> {
  try {
    return await lockSession(path);
  } catch (error) {
    if (!hasCode(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT")) throw error;
    return { release: async () => undefined };
  }
}

function writerOf(
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

function continueApart(
  input: ResumeSessionInput,
  session: ReplayedSession,
  apart: "in-use" | "newer-format",
): ResumedSession {
  const writer = createSessionWriter({
    ...input,
    id: input.createId(),
    directory: async () => input.directory,
    // The name stays with the session that had it first: a name leads to one.
    facts: {
      ...factsOf(input, session),
      continues: input.id,
      // What was kept out stays out, also as a copy.
      ...(session.learn ? {} : { learn: false }),
    },
    carried: session.messages,
  });
  return { ...session, writer, apart };
}
