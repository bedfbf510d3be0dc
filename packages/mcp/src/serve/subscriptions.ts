import { createHash } from "node:crypto";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";

/** What one client wants to hear of. */
export interface Subscriptions {
  /** @throws whatever reading the address throws: nobody waits for what cannot be read */
  readonly add: (address: string) => Promise<void>;
  readonly remove: (address: string) => void;
  /** Tells of those whose text is another one than the last time. */
  readonly check: () => Promise<void>;
  readonly has: (address: string) => boolean;
}

export interface SubscriptionsInput {
  /** The text at an address. */
  readonly read: (address: string) => Promise<string>;
  readonly notify: (address: string) => Promise<void>;
}

/** Each is read again with every change. */
const MOST_SUBSCRIPTIONS = 1_000;

export function createSubscriptions({ read, notify }: SubscriptionsInput): Subscriptions {
  const seen = new Map<string, string>();
  return {
    add: async (address) => {
      if (seen.size >= MOST_SUBSCRIPTIONS && !seen.has(address)) {
        const sentence = `There are ${MOST_SUBSCRIPTIONS} subscriptions already; unsubscribe from some first.`;
        throw new ProtocolError(PROTOCOL_CODE.invalidParams, sentence);
      }
      seen.set(address, signOf(await read(address)));
    },
    remove: (address) => void seen.delete(address),
    has: (address) => seen.has(address),
    check: async () => {
      for (const [address, before] of seen) {
        // oxlint-disable-next-line no-await-in-loop -- a thousand topics at once would be a thousand open files
        const now = await signOrNone(read, address);
        if (now === before || !seen.has(address)) continue;
        seen.set(address, now);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await notify(address);
      }
    },
  };
}

const GONE = "gone";

/** What is gone, or may not be read any more, is another change. */
async function signOrNone(read: SubscriptionsInput["read"], address: string): Promise<string> {
  try {
    return signOf(await read(address));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return GONE;
  }
}

function signOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
