import type { SessionDiagnostic } from "../diagnostic.ts";
import { messageNumber, rewindNumber } from "../identity/message-number.ts";
import type { NewRecord, RewoundWhat, SessionRecord } from "../record/record.ts";
import type { SessionMessage } from "../record/session-message.ts";
import { repairToolCalls } from "./repair-tool-calls.ts";

/** A point to which a conversation can be rewound. */
export interface RewindPoint {
  /** `m3` for the moment before that message, `r1` for the moment before that rewind. */
  readonly id: string;
  /** ISO 8601; empty if it is not known. */
  readonly at: string;
  /** What the user wrote; empty for a rewind. */
  readonly text: string;
  /** What a rewind restored. */
  readonly what?: RewoundWhat | undefined;
}

/** How far a session has come. */
export interface TimelinePosition {
  /** The number of the last message: 12 for `m12`. */
  readonly messages: number;
  /** The number of the last message of the user. */
  readonly userMessages: number;
  /** The number of the last rewind: 2 for `r2`. */
  readonly rewinds: number;
}

/** Follows the records of a session, and knows what the conversation was at each earlier point. */
export interface Timeline {
  /** Takes the next record. Returns a diagnostic for a rewind to a point that is not known. */
  readonly add: (record: TimelineRecord) => SessionDiagnostic | undefined;
  /** The conversation as it is now, not repaired. */
  readonly messages: () => readonly SessionMessage[];
  /** The messages that the user wrote in the conversation as it is now, oldest first. */
  readonly points: () => readonly RewindPoint[];
  /** All rewinds, oldest first. */
  readonly rewinds: () => readonly RewindPoint[];
  /** The conversation before a point, ready to send to a model; `undefined` for a point that is not known. */
  readonly before: (id: string) => readonly SessionMessage[] | undefined;
  readonly position: () => TimelinePosition;
  /**
   * The number of the last message with a result of one of these tools that was not an error, also of a subagent; 0
   * without one.
   */
  readonly lastUseOf: (tools: ReadonlySet<string>) => number;
}

/** A record of a file, or one that is about to be appended to it. */
type TimelineRecord = SessionRecord | (NewRecord & { readonly at?: string });

/** The beginning of a list that only grows, so that many moments share one list. */
interface Moment {
  readonly messages: SessionMessage[];
  readonly length: number;
  readonly points: readonly RewindPoint[];
}

/** Creates a timeline, for a session that begins with these messages. */
export function createTimeline(carried: readonly SessionMessage[] = []): Timeline {
  const moments = new Map<string, Moment>();
  const rewinds: RewindPoint[] = [];
  const uses = createToolUses();
  let now: Moment = { messages: [], length: 0, points: [] };
  let position: TimelinePosition = { messages: 0, userMessages: 0, rewinds: 0 };

  const addMessage = (message: SessionMessage, id: string, at: string): void => {
    const number = Math.max(position.messages + 1, messageNumber(id));
    position = { ...position, messages: number };
    let { points } = now;
    if (message.role === "user") {
      const point: RewindPoint = { id: `m${number}`, at, text: message.text };
      moments.set(point.id, now);
      points = [...points, point];
      position = { ...position, userMessages: number };
    }
    uses.add(message, number);
    // After a rewind, the end of the list belongs to another moment.
    const isEnd = now.length === now.messages.length;
    const messages = isEnd ? now.messages : now.messages.slice(0, now.length);
    messages.push(message);
    now = { messages, length: messages.length, points };
  };
  const addRewind = (record: TimelineRecord & { readonly type: "rewound" }): Lost => {
    const number = Math.max(position.rewinds + 1, rewindNumber(record.id));
    const id = `r${number}`;
    const target = moments.get(record.to);
    position = { ...position, rewinds: number };
    moments.set(id, now);
    rewinds.push({ id, at: record.at ?? "", text: "", what: record.what });
    if (record.what === "files") return undefined;
    if (target === undefined) return lostRewind(record.to);
    now = target;
    return undefined;
  };
  for (const message of carried) addMessage(message, "", "");
  return {
    add: (record) => {
      if (record.type === "rewound") return addRewind(record);
      if (record.type === "message")
        addMessage(record.message, "id" in record ? record.id : "", record.at ?? "");
      // Its messages are not part of the conversation, but its tools change the same files.
      if (record.type === "subagent") uses.add(record.message, position.messages);
      if (record.type === "compacted") {
        now = { ...now, messages: [...record.messages], length: record.messages.length };
      }
      return undefined;
    },
    messages: () => messagesAt(now),
    points: () => now.points,
    rewinds: () => rewinds,
    before: (id) => {
      const moment = moments.get(id);
      return moment && repairToolCalls(messagesAt(moment)).messages;
    },
    position: () => position,
    lastUseOf: uses.lastOf,
  };
}

interface ToolUses {
  /** Takes a message with its number. */
  readonly add: (message: SessionMessage, number: number) => void;
  readonly lastOf: Timeline["lastUseOf"];
}

function createToolUses(): ToolUses {
  const uses = new Map<string, number>();
  return {
    add: (message, number) => {
      if (message.role !== "tool") return;
      for (const { name, isError } of message.results) if (!isError) uses.set(name, number);
    },
    lastOf: (tools) => Math.max(0, ...Array.from(tools, (tool) => uses.get(tool) ?? 0)),
  };
}

type Lost = SessionDiagnostic | undefined;

function messagesAt({ messages, length }: Moment): readonly SessionMessage[] {
  return messages.slice(0, length);
}

function lostRewind(to: string): SessionDiagnostic {
  const point = JSON.stringify(to.slice(0, 40));
  const message = `skipped a rewind to ${point}, because that message cannot be read`;
  return { code: "LOST_REWIND", message };
}
