import { answerCalls } from "./answered-calls.ts";
import type { SessionDiagnostic } from "./diagnostic.ts";
import type { MessageRecord, SessionRecord, SessionStart } from "./record.ts";
import type { SessionMessage } from "./session-message.ts";
import type { Transcript } from "./transcript.ts";

/** A session as it stands at the end of its file. */
export interface ReplayedSession {
  /** `undefined` when the first line cannot be read. */
  readonly start: SessionStart | undefined;
  readonly name: string | undefined;
  /** `provider/model` that was used last. */
  readonly model: string | undefined;
  /** False where a process that wrote it was told to keep it out of what is learned. */
  readonly learn: boolean;
  /** Can be sent to a model as they are: every call has its result. */
  readonly messages: readonly SessionMessage[];
  /** How many messages were ever said, also those that a summary stands for. */
  readonly messageCount: number;
  /** How many of them were the person's. */
  readonly exchangeCount: number;
  readonly diagnostics: readonly SessionDiagnostic[];
}

/** Goes through the records from the first to the last. */
export function replay({ records, diagnostics }: Transcript): ReplayedSession {
  const start = records.find((record) => record.type === "session-start");
  const answered = answerCalls(messagesOf(records));
  return {
    start,
    name: lastOf(records, nameIn),
    model: lastOf(records, modelIn),
    learn: !records.some(isOptOut),
    messages: answered.messages,
    messageCount: countMessages(records),
    exchangeCount: records.filter(isOfPerson).length,
    diagnostics: [...diagnostics, ...answered.diagnostics],
  };
}

/** Ids count on, also past messages that were lost. */
function countMessages(records: readonly SessionRecord[]): number {
  const messages = records.filter((record) => record.type === "message");
  return Math.max(messages.length, messageNumber(messages.at(-1)?.id ?? ""));
}

/** Whether a record is a message of the person's. */
export function isOfPerson(record: SessionRecord): record is MessageRecord {
  return record.type === "message" && record.message.role === "user";
}

/** Whether a record keeps its session out of what is learned. */
export function isOptOut(record: SessionRecord): boolean {
  const canOptOut = record.type === "session-start" || record.type === "resumed";
  return canOptOut && record.learn === false;
}

/** 12 for `m12`; 0 for what is no id of ours. */
export function messageNumber(id: string): number {
  return Number(/^m([1-9]\d{0,8})$/.exec(id)?.[1] ?? 0);
}

function messagesOf(records: readonly SessionRecord[]): readonly SessionMessage[] {
  const lastCompaction = records.findLastIndex(({ type }) => type === "compacted");
  return records.slice(Math.max(lastCompaction, 0)).flatMap((record) => {
    if (record.type === "compacted") return record.messages;
    return record.type === "message" ? [record.message] : [];
  });
}

/** What the last record says that says anything. */
export function lastOf(
  records: readonly SessionRecord[],
  textIn: (record: SessionRecord) => string | undefined,
): string | undefined {
  return records.map(textIn).findLast((text) => text !== undefined && text !== "");
}

/** The name that a record says the session has. */
export function nameIn(record: SessionRecord): string | undefined {
  const hasName =
    record.type === "name" || record.type === "session-start" || record.type === "turn-end";
  return hasName ? record.name : undefined;
}

/** The model that a record says is used from there on. */
export function modelIn(record: SessionRecord): string | undefined {
  const hasModel =
    record.type === "model" || record.type === "session-start" || record.type === "resumed";
  return hasModel ? record.model : undefined;
}
