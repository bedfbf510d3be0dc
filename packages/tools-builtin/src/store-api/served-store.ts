import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import type { HistoryPage, HistoryRequest, TopicStore } from "@caliban/memory";
import type { MemoryInbox } from "../memory/memory-tool.ts";
import { memoryPermission, topicAddress } from "../memory-access/memory-permission.ts";
import { createStoreHistory, type StoreHistory } from "./history/store-history.ts";
import { StoreApiError } from "./request/api-answer.ts";
import type { ApiClient } from "./request/api-request.ts";

/** A topic store that is served as a memory store. */
export interface ServedStore {
  /** `memstore_…`; the same wherever this memory is served. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly store: TopicStore;
  /** Reads the newest changes without all others, if the store can. */
  readonly history?: ((request: HistoryRequest) => Promise<HistoryPage>) | undefined;
  /** Records what other programs changed, so that it has versions. */
  readonly recordExternalChanges?: (() => Promise<void>) | undefined;
  /** Where changes wait that the user should see first. Without it, every change is saved. */
  readonly inbox?: MemoryInbox | undefined;
  /** Nothing is shown or changed that these rules deny, or that needs asking: there is no one to ask. */
  readonly policy: () => PermissionPolicy;
}

/** A served store, and what requests know about it. */
export interface OpenedStore extends ServedStore {
  readonly identities: StoreHistory;
}

export interface OpenStoreOptions {
  readonly sha256Hex: (text: string) => string;
  readonly monotonicMs: () => number;
}

export function openServedStore(served: ServedStore, options: OpenStoreOptions): OpenedStore {
  const { store, history, recordExternalChanges } = served;
  const identities = createStoreHistory({ ...options, store, history, recordExternalChanges });
  return { ...served, identities };
}

/** Whether the rules let a client see a topic. */
export function isReadable({ policy }: Pick<ServedStore, "policy">, slug: string): boolean {
  return memoryPermission(topicAddress(slug), policy()) === "allow";
}

const CHANGES = {
  write: { tool: "WriteMemoryTopic", permission: "memory.write", isReadOnly: false },
  delete: { tool: "DeleteMemoryTopic", permission: "memory.delete", isReadOnly: false },
} as const;

/** @throws StoreApiError if the client, or a rule of the user, may not change the store */
export function requireChange(
  { id, policy }: Pick<ServedStore, "id" | "policy">,
  client: ApiClient,
  kind: keyof typeof CHANGES,
): void {
  if (client.access(id) !== "write")
    throw new StoreApiError("permission_error", "this token may only read this store");
  if (decidePermission(CHANGES[kind], policy()).kind === "allow") return;
  const message = `a rule of the user keeps other agents from this: ${CHANGES[kind].permission}`;
  throw new StoreApiError("permission_error", message);
}
