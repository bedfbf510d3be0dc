import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { ClientLimits } from "./client-limits.ts";

/** Counts one event; true if there have been too many. */
export type FloodGuard = () => boolean;

/** Returns true once more than `max` events have happened within the interval. */
export function createFloodGuard(input: {
  readonly max: number;
  readonly withinMs: number;
  readonly now: () => number;
}): FloodGuard {
  const { max, withinMs, now } = input;
  let [startedMs, count] = [now(), 0];
  return () => {
    if (now() - startedMs >= withinMs) [startedMs, count] = [now(), 0];
    count += 1;
    return count > max;
  };
}

/** Tells answers to our requests from messages that a server sends unsolicited. */
export interface UnsolicitedGuard {
  readonly sent: (message: JSONRPCMessage) => void;
  /** True if this message is one too many; pass `undefined` for an invalid one. */
  readonly isFlood: (message: JSONRPCMessage | undefined) => boolean;
}

/** Each request has one answer. Everything else counts as unsolicited, including answers to no request. */
export function createUnsolicitedGuard(
  { unsolicitedMessages: max, unsolicitedMs: withinMs }: ClientLimits,
  now: () => number,
): UnsolicitedGuard {
  const isTooMany = createFloodGuard({ max, withinMs, now });
  const pending = new Set<unknown>();
  return {
    sent: (message) => {
      if ("method" in message && "id" in message) pending.add(message.id);
    },
    isFlood: (message) => {
      const isAnswer =
        message !== undefined && !("method" in message) && pending.delete(message.id);
      return !isAnswer && isTooMany();
    },
  };
}
