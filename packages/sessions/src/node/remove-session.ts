import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
import { SessionsError, isSessionsError } from "../errors.ts";
import { type SessionId, sessionFileName } from "../identity/session-id.ts";
import { lockSession } from "./session-lock.ts";

/**
 * Removes a session permanently.
 * @throws SessionsError `NOT_FOUND`, `IN_USE` while another process uses it, or `UNWRITABLE`
 */
export async function removeSession(directory: string, id: SessionId): Promise<void> {
  const path = join(directory, sessionFileName(id));
  try {
    const lock = await lockSession(path);
    if (lock === undefined) {
      const message = `session ${id} is in use by another process. End that process first.`;
      throw new SessionsError("IN_USE", message);
    }
    try {
      unlinkSync(path);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (isSessionsError(error) || errorCode(error) === undefined) throw error;
    if (hasCode(error, "ENOENT")) {
      throw new SessionsError("NOT_FOUND", `no such session: ${id}`, { cause: error });
    }
    const message = `cannot remove session ${id}: system error ${errorCode(error)}`;
    throw new SessionsError("UNWRITABLE", message, { cause: error });
  }
}
