import type { SessionDiagnostic } from "../diagnostic.ts";
import { messageNumber } from "../identity/message-number.ts";
import type { MessageRecord, SessionRecord, SessionStart } from "../record/record.ts";
import type { SessionMessage } from "../record/session-message.ts";
import { repairToolCalls } from "./repair-tool-calls.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import type { Transcript } from "./transcript.ts";

/** The state of a session at the end of its file. */
export interface ReplayedSession {
  /** `undefined` when the first line cannot be read. */
  readonly start: SessionStart | undefined;
  readonly name: string | undefined;
  /** The `provider/model` that was used last. */
  readonly model: string | undefined;
  /** False if a process that wrote it was told not to learn from it. */
  readonly learn: boolean;
  /** Ready to send to a model: every call has its result. */
  readonly messages: readonly SessionMessage[];
  /** How many messages there were in total, including those that a summary replaced. */
  readonly messageCount: number;
  /** How many of them the user wrote. */
  readonly exchangeCount: number;
  readonly diagnostics: readonly SessionDiagnostic[];
}

/**
 * Replays the records of a session and repairs tool calls that a crash interrupted.
 *
 * @example
 * import { parseTranscript, replay } from "@caliban/sessions";
 *
 * const line = '{"type":"message","id":"m1","at":"","message":{"role":"user","text":"Hello"}}\n';
 * const { messages, messageCount } = replay(parseTranscript(line));
 * console.log(messages, messageCount); // [ { role: 'user', text: 'Hello' } ] 1
 */
export function replay({ records, diagnostics }: Transcript): ReplayedSession {
  const start = records.find((record) => record.type === "session-start");
  const timeline = createTimeline();
  const lost = records.flatMap((record) => timeline.add(record) ?? []);
  const repaired = repairToolCalls(timeline.messages());
  return {
    start,
    name: lastText(records, nameIn),
    model: lastText(records, modelIn),
    learn: !records.some(isOptOut),
    messages: repaired.messages,
    messageCount: countMessages(records),
    exchangeCount: records.filter(isUserMessage).length,
    diagnostics: [...diagnostics, ...lost, ...repaired.diagnostics],
  };
}

/** The timeline of stored records, for what follows them. */
export function timelineOf(records: readonly SessionRecord[]): Timeline {
  const timeline = createTimeline();
  for (const record of records) timeline.add(record);
  return timeline;
}

/** Ids count every message, including lost ones. */
function countMessages(records: readonly SessionRecord[]): number {
  const messages = records.filter((record) => record.type === "message");
  return Math.max(messages.length, messageNumber(messages.at(-1)?.id ?? ""));
}

/** Whether a record is a message of the user. */
export function isUserMessage(record: SessionRecord): record is MessageRecord {
  return record.type === "message" && record.message.role === "user";
}

/** Whether a record excludes its session from learning. */
export function isOptOut(record: SessionRecord): boolean {
  const canOptOut = record.type === "session-start" || record.type === "resumed";
  return canOptOut && record.learn === false;
}

/** The last non-empty text that a record has. */
export function lastText(
  records: readonly SessionRecord[],
  textIn: (record: SessionRecord) => string | undefined,
): string | undefined {
  return records.map(textIn).findLast((text) => text !== undefined && text !== "");
}

/** The session name in a record. */
export function nameIn(record: SessionRecord): string | undefined {
  const hasName =
    record.type === "name" || record.type === "session-start" || record.type === "turn-end";
  return hasName ? record.name : undefined;
}

/** The model in a record, which is used from there on. */
export function modelIn(record: SessionRecord): string | undefined {
  const hasModel =
    record.type === "model" || record.type === "session-start" || record.type === "resumed";
  return hasModel ? record.model : undefined;
}
