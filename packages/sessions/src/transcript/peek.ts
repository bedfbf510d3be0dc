import { parseLine } from "../record/parse-record.ts";
import type { SessionRecord } from "../record/record.ts";
import { messageNumber } from "../identity/message-number.ts";
import { titleOf } from "../identity/title.ts";
import { isUserMessage, lastText, modelIn, nameIn } from "./replay.ts";

/** What the beginning and the end of a session file show. */
export interface SessionPeek {
  readonly startedAt: string | undefined;
  readonly name: string | undefined;
  /** The first words of the user. */
  readonly title: string | undefined;
  readonly model: string | undefined;
  readonly workspace: string | undefined;
  /** Set if the session was started where no user could answer questions, as in a script. */
  readonly isUnattended?: true | undefined;
  /** `undefined` when the end of the file does not show it. */
  readonly messageCount: number | undefined;
  /** How many messages the user wrote; `undefined` when neither end of the file shows it. */
  readonly exchangeCount: number | undefined;
}

/** Reads whole lines only, so the pieces may be cut anywhere and may overlap. */
export function peek(head: string, tail: string): SessionPeek {
  const first = recordsIn(head);
  const records = [...first, ...recordsIn(tail)];
  const start = first.find((record) => record.type === "session-start");
  const lastMessage = records.findLast((record) => record.type === "message");
  const count = messageNumber(lastMessage?.id ?? "");
  return {
    startedAt: start?.at,
    name: lastText(records, nameIn),
    title: start?.title ?? firstUserText(first),
    model: lastText(records, modelIn),
    workspace: start?.workspace,
    ...(start?.unattended === true ? { isUnattended: true } : {}),
    messageCount: count === 0 ? undefined : count,
    exchangeCount: exchangesIn(records, { isWhole: tail === "" }),
  };
}

/** The count in the last turn end plus the messages since. Without one, counts from the start if the file is complete. */
function exchangesIn(
  records: readonly SessionRecord[],
  { isWhole }: { readonly isWhole: boolean },
): number | undefined {
  const last = records.findLast(
    (record) => record.type === "turn-end" && record.exchanges !== undefined,
  );
  const counted = last?.type === "turn-end" ? last.exchanges : undefined;
  if (counted === undefined && !isWhole) return undefined;
  const since = last === undefined ? records : records.slice(records.lastIndexOf(last) + 1);
  const count = (counted ?? 0) + new Set(since.filter(isUserMessage).map(({ id }) => id)).size;
  return count === 0 ? undefined : count;
}

function recordsIn(text: string): readonly SessionRecord[] {
  return text.split("\n").flatMap((line) => {
    const parsed = parseLine(line);
    return parsed.kind === "record" ? [parsed.record] : [];
  });
}

function firstUserText(records: readonly SessionRecord[]): string | undefined {
  for (const record of records) {
    if (record.type === "message" && record.message.role === "user")
      return titleOf(record.message.text);
  }
  return undefined;
}
