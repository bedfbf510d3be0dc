import { isProtocolError } from "../protocol-error.ts";
import type { OpenMemory } from "../client-view.ts";
import { readResource } from "./read-resource.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

/** How a client hears of changes. */
export interface ResourceEvents {
  readonly notifyUpdate: (address: string) => Promise<void>;
  readonly notifyList: () => Promise<void>;
}

/** What one client is notified of. */
export interface ResourceWatch {
  readonly subscriptions: Subscriptions;
  readonly close: () => void;
}

/** Notifies a client of changes until it is closed. */
export function watchResources(
  { memory, changes }: OpenMemory,
  { notifyUpdate, notifyList }: ResourceEvents,
): ResourceWatch {
  const subscriptions = createSubscriptions({
    read: (address) => readResource(address, memory),
    notify: notifyUpdate,
  });
  return {
    subscriptions,
    close: changes.add({
      onListChange: notifyList,
      onChange: subscriptions.check,
      needsPolling: () =>
        memory.watch === undefined
          ? !subscriptions.isEmpty()
          : subscriptions.has("memory://prefix"),
    }),
  };
}

/** Subscribes to every address that can be read. The others never change for this client. */
export async function subscribeAll(
  { subscriptions }: Pick<ResourceWatch, "subscriptions">,
  addresses: readonly string[],
): Promise<void> {
  for (const address of new Set(addresses)) {
    try {
      await subscriptions.add(address);
    } catch (error) {
      if (!isProtocolError(error)) throw error;
    }
  }
}
