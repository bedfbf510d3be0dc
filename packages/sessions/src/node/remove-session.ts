import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
import { SessionsError } from "../errors.ts";
import { type SessionId, sessionFileName } from "../session-id.ts";
import { lockSession } from "./session-lock.ts";

/**
 * Removes a session for good.
 * @throws SessionsError `NOT_FOUND`, `IN_USE` while a process goes on with it, or `UNWRITABLE`
 */
export async function removeSession(directory: string, id: SessionId): Promise<void> {
  const path = join(directory, sessionFileName(id));
  try {
    const lock = await lockSession(path);
    if (lock === undefined) {
      const sentence = `session ${id} is being written by another process; end it first`;
      throw new SessionsError("IN_USE", sentence);
    }
    try {
      unlinkSync(path);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (error instanceof SessionsError || errorCode(error) === undefined) throw error;
    if (hasCode(error, "ENOENT")) {
      throw new SessionsError("NOT_FOUND", `there is no session ${id}`, { cause: error });
    }
    const sentence = `session ${id} cannot be removed: the system says ${errorCode(error)}`;
    throw new SessionsError("UNWRITABLE", sentence, { cause: error });
  }
}
