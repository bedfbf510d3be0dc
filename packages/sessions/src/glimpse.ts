import { parseLine } from "./parse-record.ts";
import type { SessionRecord } from "./record.ts";
import { isOfPerson, lastOf, messageNumber, modelIn, nameIn } from "./replay.ts";
import { titleOf } from "./title.ts";

/** What the beginning and the end of a session file tell of it. */
export interface SessionGlimpse {
  readonly startedAt: string | undefined;
  readonly name: string | undefined;
  /** The first words of the person. */
  readonly title: string | undefined;
  readonly model: string | undefined;
  readonly workspace: string | undefined;
  /** `undefined` when the end of the file does not show it. */
  readonly messageCount: number | undefined;
  /** How many messages of the person's there are; `undefined` when neither end of the file shows it. */
  readonly exchangeCount: number | undefined;
}

/** Reads whole lines only, so the pieces may be cut anywhere. The same text may stand in both. */
export function glimpse(head: string, tail: string): SessionGlimpse {
  const first = recordsIn(head);
  const records = [...first, ...recordsIn(tail)];
  const start = first.find((record) => record.type === "session-start");
  const lastMessage = records.findLast((record) => record.type === "message");
  const count = messageNumber(lastMessage?.id ?? "");
  return {
    startedAt: start?.at,
    name: lastOf(records, nameIn),
    title: start?.title ?? firstWords(first),
    model: lastOf(records, modelIn),
    workspace: start?.workspace,
    messageCount: count === 0 ? undefined : count,
    exchangeCount: exchangesIn(records, { isWhole: tail === "" }),
  };
}

/** What the last turn said that counted them, and those since; from the very beginning only where all is there. */
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
  const count = (counted ?? 0) + new Set(since.filter(isOfPerson).map(({ id }) => id)).size;
  return count === 0 ? undefined : count;
}

function recordsIn(text: string): readonly SessionRecord[] {
  return text.split("\n").flatMap((line) => {
    const parsed = parseLine(line);
    return parsed.kind === "record" ? [parsed.record] : [];
  });
}

function firstWords(records: readonly SessionRecord[]): string | undefined {
  for (const record of records) {
    if (record.type === "message" && record.message.role === "user")
      return titleOf(record.message.text);
  }
  return undefined;
}
