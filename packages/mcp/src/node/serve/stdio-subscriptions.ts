import { isRecord } from "@caliban/common";
import {
  type JSONRPCMessage,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import type { MemoryServer } from "../../serve/protocol/protocol-server.ts";
import { type ResourceWatch, subscribeAll } from "../../serve/resources/watch-resources.ts";

/**
 * Wraps a transport so that the server hears what its client subscribes to with `subscriptions/listen`, which the SDK
 * answers by itself. A subscription is confirmed when the first state of its resources is known, so that no later change
 * is missed.
 */
export function watchSubscriptions(
  transport: Transport,
  currentServer: () => MemoryServer | undefined,
): Transport {
  // One watch for all subscriptions, because the SDK sends each change to every subscription that asked for it.
  const wanted = new Map<unknown, readonly string[]>();
  let watching: Promise<ResourceWatch> | undefined;
  const add = async (id: unknown, addresses: readonly string[]): Promise<void> => {
    const server = currentServer();
    if (server === undefined) return;
    wanted.set(id, addresses);
    watching ??= server.watch({
      notifyUpdate: async (uri) => await server.sendResourceUpdated({ uri }),
      notifyList: async () => await server.sendResourceListChanged(),
    });
    await subscribeAll(await watching, addresses);
  };
  const remove = async (id: unknown): Promise<void> => {
    const addresses = wanted.get(id);
    if (addresses === undefined) return;
    wanted.delete(id);
    const others = new Set([...wanted.values()].flat());
    const { subscriptions } = (await watching) ?? {};
    for (const address of addresses) if (!others.has(address)) subscriptions?.remove(address);
  };
  const report = (error: unknown): void =>
    wrapped.onerror?.(error instanceof Error ? error : new Error(String(error)));
  const wrapped: Transport = {
    start: async () => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
      transport.onclose = () => wrapped.onclose?.();
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
      transport.onerror = (error) => wrapped.onerror?.(error);
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
      transport.onmessage = (message, extra) => {
        const cancelled = cancelledRequest(message);
        if (cancelled !== undefined) remove(cancelled).catch(report);
        wrapped.onmessage?.(message, extra);
      };
      await transport.start();
    },
    send: async (message, options) => {
      const confirmed = confirmedSubscription(message);
      if (confirmed !== undefined) await add(confirmed.id, confirmed.addresses).catch(report);
      await transport.send(message, options);
    },
    close: async () => await transport.close(),
  };
  return wrapped;
}

function cancelledRequest(message: JSONRPCMessage): unknown {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return message.params?.["requestId"];
}

function confirmedSubscription(
  message: JSONRPCMessage,
): { readonly id: unknown; readonly addresses: readonly string[] } | undefined {
  if (!("method" in message)) return undefined;
  if (message.method !== "notifications/subscriptions/acknowledged") return undefined;
  const { _meta: meta, notifications } = message.params ?? {};
  const id = isRecord(meta) ? meta[SUBSCRIPTION_ID_META_KEY] : undefined;
  return { id, addresses: subscribedAddresses(notifications) };
}

/** The resources that a filter of `subscriptions/listen` names. */
export function subscribedAddresses(filter: unknown): readonly string[] {
  const addresses = isRecord(filter) ? filter["resourceSubscriptions"] : undefined;
  if (!Array.isArray(addresses)) return [];
  return addresses.filter((address) => typeof address === "string");
}
