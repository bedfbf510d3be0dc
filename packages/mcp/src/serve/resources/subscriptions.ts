import { shortHash } from "../../short-hash.ts";
import { PROTOCOL_CODE, ProtocolError, isProtocolError } from "../protocol-error.ts";

/** The resources that one client subscribed to. */
export interface Subscriptions {
  /** @throws whatever reading the address throws, because no one can wait for what cannot be read */
  readonly add: (address: string) => Promise<void>;
  readonly remove: (address: string) => void;
  /** Notifies the client of every resource whose text differs from the last time. */
  readonly check: () => Promise<void>;
  readonly has: (address: string) => boolean;
  readonly isEmpty: () => boolean;
}

export interface SubscriptionsInput {
  /** Reads the text at an address. */
  readonly read: (address: string) => Promise<string>;
  readonly notify: (address: string) => Promise<void>;
}

/** Each one is read again with every change. */
const MAX_SUBSCRIPTIONS = 1_000;

export function createSubscriptions({ read, notify }: SubscriptionsInput): Subscriptions {
  const fingerprints = new Map<string, string>();
  return {
    add: async (address) => {
      if (fingerprints.size >= MAX_SUBSCRIPTIONS && !fingerprints.has(address)) {
        const message = `too many subscriptions (limit ${MAX_SUBSCRIPTIONS}); unsubscribe from some first`;
        throw new ProtocolError(PROTOCOL_CODE.invalidParams, message);
      }
      fingerprints.set(address, fingerprint(await read(address)));
    },
    remove: (address) => void fingerprints.delete(address),
    has: (address) => fingerprints.has(address),
    isEmpty: () => fingerprints.size === 0,
    check: async () => {
      for (const [address, before] of fingerprints) {
        // A thousand topics at once would be a thousand open files.
        const now = await fingerprintOrGone(read, address);
        if (now === before || !fingerprints.has(address)) continue;
        fingerprints.set(address, now);
        await notify(address);
      }
    },
  };
}

const GONE = "gone";

/** A resource that was removed, or may no longer be read, has changed, too. */
async function fingerprintOrGone(
  read: SubscriptionsInput["read"],
  address: string,
): Promise<string> {
  try {
    return fingerprint(await read(address));
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    return GONE;
  }
}

/** A collision would only lose one notification. */
function fingerprint(text: string): string {
  return `${text.length}:${shortHash(text)}`;
}
