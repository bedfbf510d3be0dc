import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { ClientLimits } from "./limits.ts";

/** Counts what comes, and tells when it is too much. */
export type FloodGuard = () => boolean;

/** True from the moment on at which more than so many came within so many milliseconds. */
export function createFloodGuard(input: {
  readonly most: number;
  readonly withinMs: number;
  readonly now: () => number;
}): FloodGuard {
  const { most, withinMs, now } = input;
  let [beganMs, count] = [now(), 0];
  return () => {
    if (now() - beganMs >= withinMs) [beganMs, count] = [now(), 0];
    count += 1;
    return count > most;
  };
}

/** Tells what a server was asked for from what it sends of its own accord. */
export interface UnsolicitedGuard {
  readonly sent: (message: JSONRPCMessage) => void;
  /** True when this is one too many; `undefined` is what is no message. */
  readonly isFlood: (message: JSONRPCMessage | undefined) => boolean;
}

/** Each question of ours has one answer; all else counts, and so does an answer to nothing. */
export function createUnsolicitedGuard(
  { unsolicitedMessages: most, unsolicitedMs: withinMs }: ClientLimits,
  now: () => number,
): UnsolicitedGuard {
  const isTooMany = createFloodGuard({ most, withinMs, now });
  const open = new Set<unknown>();
  return {
    sent: (message) => {
      if ("method" in message && "id" in message) open.add(message.id);
    },
    isFlood: (message) => {
      const isAnswer = message !== undefined && !("method" in message) && open.delete(message.id);
      return !isAnswer && isTooMany();
    },
  };
}
