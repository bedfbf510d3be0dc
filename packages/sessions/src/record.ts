import { fittingJson, MAX_LINE_BYTES } from "./fit-line.ts";
import type { SessionMessage } from "./session-message.ts";

/** The version of the format that this package writes. */
export const FORMAT_VERSION = 1;

/** One line of a session file. The union is closed; what a later version adds is skipped and counted. */
export type SessionRecord =
  | SessionStart
  | MessageRecord
  | CompactedRecord
  | ModelRecord
  | NameRecord
  | NoticeRecord
  | ResumedRecord
  | TurnEndRecord;

/** The first line: what the session is. */
export interface SessionStart {
  readonly type: "session-start";
  /** Version of the format of the whole file. */
  readonly v: number;
  readonly id: string;
  /** ISO 8601 in UTC, as every `at`. */
  readonly at: string;
  readonly workspace: string;
  readonly cwd: string;
  /** `provider/model` at the start. */
  readonly model: string;
  /** Version of the program that wrote it. */
  readonly version: string;
  /** What the person called it. */
  readonly name?: string | undefined;
  /** The first words of the person, as one line. */
  readonly title?: string | undefined;
  /** The session whose messages stand at the beginning of this one. */
  readonly continues?: string | undefined;
  /** How many messages those are: copies of what stands in the other file. */
  readonly carried?: number | undefined;
  /** False where the person wants nothing learned from the session. */
  readonly learn?: false | undefined;
}

/** A whole message that belongs to the conversation from here on. */
export interface MessageRecord {
  readonly type: "message";
  /** `m1`, `m2` and so on, in the order in which they were said. */
  readonly id: string;
  readonly at: string;
  readonly message: SessionMessage;
}

/** From here on, these messages stand in for all that came before. */
export interface CompactedRecord {
  readonly type: "compacted";
  readonly at: string;
  readonly beforeTokens?: number | undefined;
  readonly afterTokens?: number | undefined;
  readonly messages: readonly SessionMessage[];
}

/** The model was switched. */
export interface ModelRecord {
  readonly type: "model";
  readonly at: string;
  readonly model: string;
}

/** The session was given a name, or another one. */
export interface NameRecord {
  readonly type: "name";
  readonly at: string;
  readonly name: string;
}

/** Something the person was told that is no part of the conversation. */
export interface NoticeRecord {
  readonly type: "notice";
  readonly at: string;
  readonly sentence: string;
}

/** A later process goes on with the session. */
export interface ResumedRecord {
  readonly type: "resumed";
  readonly at: string;
  readonly cwd: string;
  readonly model: string;
  readonly version: string;
  /** False where nothing is to be learned from here on, which keeps the whole session out. */
  readonly learn?: false | undefined;
}

/** A turn came to its end. */
export interface TurnEndRecord {
  readonly type: "turn-end";
  readonly at: string;
  /** `done`, `interrupted`, `step-limit`, `refused` or `failed`; a later version may have more. */
  readonly outcome: string;
  readonly sentence?: string | undefined;
  /** The name that the session has by now, so that whoever looks at the end of a file finds it. */
  readonly name?: string | undefined;
  /** How many messages of the person's there are by now, for the same reason. */
  readonly exchanges?: number | undefined;
}

/** What a caller appends: the writer adds the time, and to a message its id. */
export type NewRecord =
  | { readonly type: "message"; readonly message: SessionMessage }
  | Omit<CompactedRecord, "at">
  | Omit<ModelRecord, "at">
  | Omit<NameRecord, "at">
  | Omit<NoticeRecord, "at">
  | Omit<TurnEndRecord, "at" | "name" | "exchanges">;

/**
 * A record as its line, with the line end. Texts are cut when the line would be too long to be read again; where that does
 * not help, the line says that something is missing.
 */
export function renderRecord(record: SessionRecord): string {
  return `${fittingJson(record, MAX_LINE_BYTES) ?? JSON.stringify(missing(record))}\n`;
}

function missing({ type, at }: SessionRecord): NoticeRecord {
  return { type: "notice", at, sentence: `a ${type} was too long to be saved` };
}
