import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { requireArguments } from "@caliban/common";
import { FORMAT_VERSION, type SessionRecord, type SessionStart } from "../record/record.ts";
import { type SessionId, sessionFileName } from "../identity/session-id.ts";
import type { SessionMessage } from "../record/session-message.ts";
import { titleOf } from "../identity/title.ts";
import { createToAppend } from "./session-file.ts";
import { lockSession, type SessionLock } from "./session-lock.ts";
import { createWriter, type SessionWriter, type WriterDependencies } from "./session-writer.ts";

export interface SessionWriterInput extends WriterDependencies {
  readonly id: SessionId;
  /** The directory of sessions. Called with the first message, so that its cost is not paid before. */
  readonly directory: () => Promise<string>;
  readonly facts: SessionFacts;
  /** The messages of the session that this one continues. */
  readonly carried?: readonly SessionMessage[] | undefined;
}

/** What the first line says about a session. */
export type SessionFacts = Pick<
  SessionStart,
  "workspace" | "cwd" | "model" | "version" | "name" | "continues" | "learn" | "unattended"
>;

/**
 * Creates a session. There is no file before the first message of the user, and an existing file is never reused.
 *
 * @example
 * import { createSessionId } from "@caliban/sessions";
 * import { createSessionWriter, readSession } from "@caliban/sessions/node";
 *
 * const writer = createSessionWriter({
 *   id: createSessionId(Date.now(), Math.random),
 *   directory: async () => "sessions",
 *   facts: { workspace: "/app", cwd: "/app", model: "anthropic/claude", version: "1.0.0" },
 * });
 * await writer.open();
 * writer.append({ type: "message", message: { role: "user", text: "How do we deploy?" } });
 * await writer.close();
 * console.log((await readSession("sessions", writer.id)).records.length); // 2
 */
export function createSessionWriter(input: SessionWriterInput): SessionWriter {
  requireArguments("createSessionWriter", input, ["id", "directory", "facts"]);
  const { id, facts, carried = [] } = input;
  const copies = carried.length === 0 ? {} : { carried: carried.length };
  let path = "";
  let lock: SessionLock | undefined;
  return createWriter(
    {
      id,
      prepare: async () => {
        const directory = await input.directory();
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        path = join(directory, sessionFileName(id));
        // Locked before the file exists, so that no other process resumes it in between.
        lock ??= await lockSession(path);
        if (lock === undefined) throw taken(path);
      },
      openFile: () => createToAppend(path),
      preamble: (firstMessage, at) => [
        {
          type: "session-start",
          v: FORMAT_VERSION,
          id,
          at,
          ...facts,
          ...copies,
          title: titleOf(firstMessage === "" ? firstTextOf(carried) : firstMessage),
        },
        ...carried.map((message, index) => carriedRecord(message, index, at)),
      ],
      release: async () => await lock?.release(),
      messageCount: carried.length,
      exchangeCount: carried.filter(({ role }) => role === "user").length,
      name: facts.name,
    },
    input,
  );
}

function firstTextOf(messages: readonly SessionMessage[]): string {
  return messages.find((message) => message.role === "user")?.text ?? "";
}

function taken(path: string): Error {
  return Object.assign(new Error(`${path} is in use by another process`), {
    code: "EEXIST",
  });
}

function carriedRecord(message: SessionMessage, index: number, at: string): SessionRecord {
  return { type: "message", id: `m${index + 1}`, at, message };
}
