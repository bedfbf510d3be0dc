import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { FORMAT_VERSION, type SessionRecord, type SessionStart } from "../record.ts";
import { type SessionId, sessionFileName } from "../session-id.ts";
import type { SessionMessage } from "../session-message.ts";
import { titleOf } from "../title.ts";
import { createToAppend } from "./session-file.ts";
import { lockSession, type SessionLock } from "./session-lock.ts";
import { createWriter, type SessionWriter, type WriterSurroundings } from "./session-writer.ts";

export interface SessionWriterInput extends WriterSurroundings {
  readonly id: SessionId;
  /** Where sessions are kept; asked when the first words are said, so that what it takes is not spent before. */
  readonly directory: () => Promise<string>;
  readonly facts: SessionFacts;
  /** The conversation of the session that this one continues. */
  readonly carried?: readonly SessionMessage[] | undefined;
}

/** What the first line says of the surroundings of a session. */
export type SessionFacts = Pick<
  SessionStart,
  "workspace" | "cwd" | "model" | "version" | "name" | "continues" | "learn"
>;

/** Begins a session. There is no file before the first words of a person, and then it must be a new one. */
export function createSessionWriter(input: SessionWriterInput): SessionWriter {
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
        // Held before the file is there, so that nobody goes on with it in between.
        lock ??= await lockSession(path);
        if (lock === undefined) throw taken(path);
      },
      openFile: () => createToAppend(path),
      preamble: (firstWords, at) => [
        {
          type: "session-start",
          v: FORMAT_VERSION,
          id,
          at,
          ...facts,
          ...copies,
          title: titleOf(firstWords),
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

function taken(path: string): Error {
  return Object.assign(new Error(`${path} is being written by another process`), {
    code: "EEXIST",
  });
}

function carriedRecord(message: SessionMessage, index: number, at: string): SessionRecord {
  return { type: "message", id: `m${index + 1}`, at, message };
}
