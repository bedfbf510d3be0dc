import { closeSync, writeSync } from "node:fs";
import { errorCode } from "@caliban/common/node";
import { type NewRecord, renderRecord, type SessionRecord } from "../record.ts";
import type { SessionId } from "../session-id.ts";
import { isLastLineOpen } from "./session-file.ts";

/** Appends to one session file. A disk that refuses is said once and ends nothing. */
export interface SessionWriter {
  readonly id: SessionId;
  /** Makes the place ready. To be awaited before the first words of a person; records that come earlier wait for it. */
  readonly open: () => Promise<void>;
  /** Has written the record when it returns. Nothing is written before the first words of a person. */
  readonly append: (record: NewRecord) => void;
  /** Whether everything that was to be written so far is in the file. */
  readonly isSaved: () => boolean;
  /** Nothing is written after it. */
  readonly close: () => Promise<void>;
}

/** What differs between a new file and one that is gone on with. */
export interface WriterTarget {
  readonly id: SessionId;
  /** Whatever has to be awaited before the file can be opened. */
  readonly prepare: () => Promise<void>;
  /** Opens the file for appending, by which a new one comes to be. */
  readonly openFile: () => number;
  /** What is written before the first words, at the time they are said. */
  readonly preamble: (firstWords: string, at: string) => readonly SessionRecord[];
  /** Gives how many bytes it wrote, which may be fewer than it was given. */
  readonly write?: (descriptor: number, bytes: Uint8Array, from: number) => number;
  readonly release: () => Promise<void>;
  /** How many messages the file has by then. */
  readonly messageCount: number;
  /** How many of them are the person's. */
  readonly exchangeCount: number;
  readonly name: string | undefined;
}

export interface WriterSurroundings {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Is told once, in a sentence, that the session cannot be written. */
  readonly onFailure: (sentence: string) => void;
}

interface WriterState {
  isReady: boolean;
  descriptor: number | undefined;
  /** Whether the file ends in the middle of a line. */
  isLineOpen: boolean;
  hasWords: boolean;
  hasFailed: boolean;
  pending: SessionRecord[];
  messageCount: number;
  exchangeCount: number;
  name: string | undefined;
}

export function createWriter(target: WriterTarget, around: WriterSurroundings): SessionWriter {
  const state: WriterState = {
    isReady: false,
    descriptor: undefined,
    isLineOpen: false,
    hasWords: false,
    hasFailed: false,
    pending: [],
    messageCount: target.messageCount,
    exchangeCount: target.exchangeCount,
    name: target.name,
  };
  let opening: Promise<void> | undefined;
  let isClosed = false;
  const attempt = <T>(action: () => T): T | undefined => trying({ state, around, target }, action);
  const open = async (): Promise<void> => {
    try {
      await target.prepare();
      state.isReady = true;
    } catch (error) {
      attempt(() => raise(error));
    } finally {
      opening = undefined;
    }
    attempt(() => flush(state, target));
  };
  return {
    id: target.id,
    open: async () => {
      if (!state.isReady && !isClosed) await (opening ??= open());
    },
    append: (record) => {
      const at = new Date(around.now()).toISOString();
      const words = wordsOf(record);
      if (!state.hasWords && words !== undefined) {
        state.hasWords = true;
        state.pending = [...target.preamble(words, at), ...state.pending];
      }
      state.pending.push(stamped(record, at, state));
      attempt(() => flush(state, target));
    },
    isSaved: () => !state.hasWords || state.pending.length === 0,
    close: async () => {
      isClosed = true;
      await opening;
      attempt(() => flush(state, target));
      if (state.descriptor !== undefined) closeSync(state.descriptor);
      state.descriptor = undefined;
      state.isReady = false;
      await target.release();
    },
  };
}

/** What a person says; `undefined` for everything else. */
function wordsOf(record: NewRecord): string | undefined {
  const isUser = record.type === "message" && record.message.role === "user";
  return isUser ? record.message.text : undefined;
}

function stamped(record: NewRecord, at: string, state: WriterState): SessionRecord {
  if (record.type === "message") {
    state.messageCount++;
    if (record.message.role === "user") state.exchangeCount++;
    return { type: "message", id: `m${state.messageCount}`, at, message: record.message };
  }
  if (record.type === "name") state.name = record.name;
  if (record.type === "turn-end")
    return { ...record, at, name: state.name, exchanges: state.exchangeCount };
  return { ...record, at };
}

/** Writes what waits, record by record; what fails stays and is tried again with the next one. */
function flush(state: WriterState, { openFile, write = writeSync }: WriterTarget): void {
  if (!state.isReady || !state.hasWords || state.pending.length === 0) return;
  if (state.descriptor === undefined) {
    state.descriptor = openFile();
    state.isLineOpen = isLastLineOpen(state.descriptor);
  }
  const { descriptor, pending } = state;
  let written = 0;
  try {
    for (const record of pending) {
      writeLine(state, record, (bytes, from) => write(descriptor, bytes, from));
      written++;
    }
  } finally {
    // What is in the file is not written again.
    state.pending = pending.slice(written);
  }
}

/** In one write, unless the system takes less of it. */
function writeLine(
  state: WriterState,
  record: SessionRecord,
  write: (bytes: Uint8Array, from: number) => number,
): void {
  const line = renderRecord(record);
  const bytes = Buffer.from(state.isLineOpen ? `\n${line}` : line);
  for (let written = 0; written < bytes.length;) {
    // Until the last byte is written, this is how the file ends.
    state.isLineOpen ||= written > 0;
    written += write(bytes, written);
  }
  state.isLineOpen = false;
}

/** Runs a step that the disk may refuse. */
function trying<T>(
  {
    state,
    around,
    target,
  }: {
    readonly state: WriterState;
    readonly around: WriterSurroundings;
    readonly target: WriterTarget;
  },
  action: () => T,
): T | undefined {
  try {
    return action();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    if (!state.hasFailed) around.onFailure(sentenceFor(code, error, target.id));
    state.hasFailed = true;
    return undefined;
  }
}

function raise(error: unknown): never {
  throw error;
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; make room",
  EDQUOT: "the quota of the disk is used up; make room",
  EACCES: "permission denied; check who owns it and its directory",
  EPERM: "permission denied; check who owns it and its directory",
  EROFS: "the disk is read-only",
};

function sentenceFor(code: string, error: Error, id: SessionId): string {
  const remedy = REMEDIES[code];
  // What the system says of others names their place already, and of a file that is open it names none.
  const path: unknown = remedy === undefined ? undefined : Reflect.get(error, "path");
  const place = typeof path === "string" ? `${path}: ` : "";
  return `session ${id} is not being saved: ${place}${remedy ?? error.message}`;
}
