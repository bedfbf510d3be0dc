import { closeSync, writeSync } from "node:fs";
import { errorCode } from "@caliban/common/node";
import { type NewRecord, renderRecord, type SessionRecord } from "../record/record.ts";
import type { SessionId } from "../identity/session-id.ts";
import { endsMidLine } from "./session-file.ts";

/** Appends to one session file. A failing disk is reported once and stops nothing. */
export interface SessionWriter {
  readonly id: SessionId;
  /** Prepares the directory. Await it before the first message of the user; earlier records wait for it. */
  readonly open: () => Promise<void>;
  /** Writes the record before it returns. Nothing is written before the first message of the user. */
  readonly append: (record: NewRecord) => void;
  /** Whether everything appended so far is in the file. */
  readonly isSaved: () => boolean;
  /** Nothing is written afterwards. */
  readonly close: () => Promise<void>;
}

/** What differs between a new file and a resumed one. */
export interface WriterTarget {
  readonly id: SessionId;
  /** Does everything asynchronous that is needed before the file can be opened. */
  readonly prepare: () => Promise<void>;
  /** Opens the file for appending, or creates it. */
  readonly openFile: () => number;
  /** The records before the first message, with its time. */
  readonly preamble: (firstMessage: string, at: string) => readonly SessionRecord[];
  /** Returns how many bytes it wrote, which may be fewer than given. */
  readonly write?: (descriptor: number, bytes: Uint8Array, from: number) => number;
  readonly release: () => Promise<void>;
  /** How many messages the file already has. */
  readonly messageCount: number;
  /** How many of them the user wrote. */
  readonly exchangeCount: number;
  readonly name: string | undefined;
}

export interface WriterDependencies {
  /** Milliseconds since 1970; the system clock by default. */
  readonly now?: (() => number) | undefined;
  /** Called once, with a message, when the session cannot be written. */
  readonly onFailure?: ((message: string) => void) | undefined;
}

interface WriterState {
  isReady: boolean;
  descriptor: number | undefined;
  /** Whether the file ends in the middle of a line. */
  endsMidLine: boolean;
  /** Whether there is anything to store: a session without a message leaves no file. */
  hasBegun: boolean;
  hasFailed: boolean;
  pending: SessionRecord[];
  messageCount: number;
  exchangeCount: number;
  name: string | undefined;
}

/** Creates a writer for a new or resumed file. */
export function createWriter(
  target: WriterTarget,
  { now = Date.now, onFailure = () => undefined }: WriterDependencies,
): SessionWriter {
  const state: WriterState = {
    isReady: false,
    descriptor: undefined,
    endsMidLine: false,
    hasBegun: false,
    hasFailed: false,
    pending: [],
    messageCount: target.messageCount,
    exchangeCount: target.exchangeCount,
    name: target.name,
  };
  let opening: Promise<void> | undefined;
  let isClosed = false;
  const attempt = <T>(action: () => T): T | undefined =>
    attemptStep({ state, onFailure, id: target.id }, action);
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
      const at = new Date(now()).toISOString();
      const text = textOfFirst(record);
      if (!state.hasBegun && text !== undefined) {
        state.hasBegun = true;
        state.pending = [...target.preamble(text, at), ...state.pending];
      }
      state.pending.push(stamped(record, at, state));
      attempt(() => flush(state, target));
    },
    isSaved: () => !state.hasBegun || state.pending.length === 0,
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

/** The text of a user message. Only a session with messages can be rewound. `undefined` for any other record. */
function textOfFirst(record: NewRecord): string | undefined {
  if (record.type === "rewound") return "";
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

/** Writes the pending records one by one. Those that fail stay pending and are retried with the next record. */
function flush(state: WriterState, { openFile, write = writeSync }: WriterTarget): void {
  if (!state.isReady || !state.hasBegun || state.pending.length === 0) return;
  if (state.descriptor === undefined) {
    state.descriptor = openFile();
    state.endsMidLine = endsMidLine(state.descriptor);
  }
  const { descriptor, pending } = state;
  let written = 0;
  try {
    for (const record of pending) {
      writeLine(state, record, (bytes, from) => write(descriptor, bytes, from));
      written++;
    }
  } finally {
    // Records in the file are not written again.
    state.pending = pending.slice(written);
  }
}

/** Uses one write, unless the system accepts fewer bytes. */
function writeLine(
  state: WriterState,
  record: SessionRecord,
  write: (bytes: Uint8Array, from: number) => number,
): void {
  const line = renderRecord(record);
  const bytes = Buffer.from(state.endsMidLine ? `\n${line}` : line);
  for (let written = 0; written < bytes.length;) {
    // Until the last byte is written, the file ends in the middle of a line.
    state.endsMidLine ||= written > 0;
    written += write(bytes, written);
  }
  state.endsMidLine = false;
}

/** Runs a step that may fail because of the disk. */
function attemptStep<T>(
  context: {
    readonly state: WriterState;
    readonly onFailure: (message: string) => void;
    readonly id: SessionId;
  },
  action: () => T,
): T | undefined {
  try {
    return action();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    const { state, onFailure, id } = context;
    if (!state.hasFailed) onFailure(failureMessage(code, error, id));
    state.hasFailed = true;
    return undefined;
  }
}

function raise(error: unknown): never {
  throw error;
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space.",
  EDQUOT: "the disk quota is exceeded. Free some space.",
  EACCES: "permission denied. Check the owner of the file and its directory.",
  EPERM: "permission denied. Check the owner of the file and its directory.",
  EROFS: "the disk is read-only.",
  ENOTDIR: "a parent of this path is not a directory.",
};

function failureMessage(code: string, error: Error, id: SessionId): string {
  const remedy = REMEDIES[code];
  // Other system messages already contain the path, and those about an open file have none.
  const path: unknown = remedy === undefined ? undefined : Reflect.get(error, "path");
  const location = typeof path === "string" ? `${path}: ` : "";
  return `session ${id} is not being saved: ${location}${remedy ?? error.message}`;
}
