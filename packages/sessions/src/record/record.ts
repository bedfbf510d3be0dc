import { fittingJson, MAX_LINE_BYTES } from "./fit-line.ts";
import type { SessionMessage } from "./session-message.ts";

/** The version of the format that this package writes. */
export const FORMAT_VERSION = 1;

/** One line of a session file. The union is closed; records that a later version adds are skipped and counted. */
export type SessionRecord =
  | SessionStart
  | MessageRecord
  | CompactedRecord
  | ModelRecord
  | NameRecord
  | NoticeRecord
  | ResumedRecord
  | SubagentRecord
  | RewoundRecord
  | TurnEndRecord;

/** The first line, which describes the session. */
export interface SessionStart {
  readonly type: "session-start";
  /** The format version of the whole file. */
  readonly v: number;
  readonly id: string;
  /** ISO 8601 in UTC, like every `at`. */
  readonly at: string;
  readonly workspace: string;
  readonly cwd: string;
  /** `provider/model` at the start. */
  readonly model: string;
  /** The version of the program that wrote it. */
  readonly version: string;
  /** The name that the user gave it. */
  readonly name?: string | undefined;
  /** The first words of the user, as one line. */
  readonly title?: string | undefined;
  /** The session whose messages are at the beginning of this one. */
  readonly continues?: string | undefined;
  /** How many messages were copied from that session. */
  readonly carried?: number | undefined;
  /** False if the user does not want caliban to learn from the session. */
  readonly learn?: false | undefined;
  /** True if no user was there to answer questions, as in a script. */
  readonly unattended?: true | undefined;
}

/** A message of the conversation. */
export interface MessageRecord {
  readonly type: "message";
  /** `m1`, `m2` and so on, in order. */
  readonly id: string;
  readonly at: string;
  readonly message: SessionMessage;
}

/** From here on, these messages replace everything before. */
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

/** The session was named or renamed. */
export interface NameRecord {
  readonly type: "name";
  readonly at: string;
  readonly name: string;
}

/** Something that was shown to the user and is not part of the conversation. */
export interface NoticeRecord {
  readonly type: "notice";
  readonly at: string;
  readonly sentence: string;
}

/** A later process resumes the session. */
export interface ResumedRecord {
  readonly type: "resumed";
  readonly at: string;
  readonly cwd: string;
  readonly model: string;
  readonly version: string;
  /** False if nothing may be learned from here on, which excludes the whole session. */
  readonly learn?: false | undefined;
}

/** A message of a subagent. It is not part of the conversation, which only has the result of the call that started it. */
interface SubagentRecord {
  readonly type: "subagent";
  readonly at: string;
  /** What the subagent was asked to do, in a few words. */
  readonly agent: string;
  /** Differs between the subagents that one process starts in a session. */
  readonly number: number;
  readonly message: SessionMessage;
}

/** What a rewind restored. */
export type RewoundWhat = "conversation" | "files" | "both";

/** The user went back to an earlier point. Older records stay in the file. */
export interface RewoundRecord {
  readonly type: "rewound";
  /** `r1`, `r2` and so on, in order. */
  readonly id: string;
  readonly at: string;
  /**
   * A message, such as `m3`: from here on, the conversation is what it was before that message. Or an earlier rewind, such
   * as `r1`: the conversation is what it was before that rewind.
   */
  readonly to: string;
  /** `files` leaves the conversation as it is. */
  readonly what: RewoundWhat;
}

/** A turn ended. */
export interface TurnEndRecord {
  readonly type: "turn-end";
  readonly at: string;
  /** `done`, `interrupted`, `step-limit`, `refused` or `failed`; a later version may have more. */
  readonly outcome: string;
  readonly sentence?: string | undefined;
  /** The current name of the session, so that the end of the file shows it. */
  readonly name?: string | undefined;
  /** How many messages the user has written so far, for the same reason. */
  readonly exchanges?: number | undefined;
}

/** A record to append. The writer adds the time, and an id to a message. */
export type NewRecord =
  | { readonly type: "message"; readonly message: SessionMessage }
  | Omit<CompactedRecord, "at">
  | Omit<ModelRecord, "at">
  | Omit<NameRecord, "at">
  | Omit<NoticeRecord, "at">
  | Omit<SubagentRecord, "at">
  | Omit<RewoundRecord, "at">
  | Omit<TurnEndRecord, "at" | "name" | "exchanges">;

/**
 * Renders a record as a line, with the line end. Long texts are truncated if the line would be too long to read again. If
 * that is not enough, a notice that something is missing replaces the record.
 */
export function renderRecord(record: SessionRecord): string {
  return `${fittingJson(record, MAX_LINE_BYTES) ?? JSON.stringify(missingRecord(record))}\n`;
}

function missingRecord({ type, at }: SessionRecord): NoticeRecord {
  return { type: "notice", at, sentence: `a ${type} was too long to save` };
}
