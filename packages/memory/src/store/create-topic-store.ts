import { checkArguments } from "../check-arguments.ts";
import type { Sha256Hex } from "../project/slug.ts";
import { BACKEND_METHODS, guardBackend } from "./guard-backend.ts";
import { lazyTopicStore } from "./lazy-store.ts";
import type { FindSecrets } from "./secrets.ts";
import type { TopicBackend } from "./topic-backend.ts";
import type { Scope, TopicStore } from "./topic-store.ts";

export interface CreateTopicStoreInput {
  readonly backend: TopicBackend;
  /** Whose memory this is; `project` if left out. */
  readonly scope?: Scope | undefined;
  /** Our own patterns if left out. */
  readonly findSecrets?: FindSecrets | undefined;
  /** Milliseconds since 1970; the system clock if left out. */
  readonly now?: (() => number) | undefined;
  /** SHA-256 of a text as hexadecimal digits; a portable implementation if left out. */
  readonly sha256Hex?: Sha256Hex | undefined;
  /** How long the backend may take for one request; 10 seconds if left out. */
  readonly timeoutMs?: number | undefined;
}

/**
 * A store of topics on any backend. Everything but keeping texts is done here: rendering, the index, links, the secret
 * gate, compare-and-swap, history and undo.
 *
 * @example
 * import { createMapBackend, createTopicStore } from "@caliban/memory";
 *
 * const store = createTopicStore({ backend: createMapBackend() });
 * await store.write({
 *   name: "deploy-checklist",
 *   description: "run migrations before flipping the flag",
 *   type: "project",
 *   body: "First the migrations, then the flag.",
 *   author: { who: "agent" },
 * });
 * await store.undo({ author: { who: "person" } });
 */
export function createTopicStore(input: CreateTopicStoreInput): TopicStore {
  checkArguments("createTopicStore", input, { backend: "object" });
  checkArguments("createTopicStore: backend", input.backend, BACKEND_METHODS);
  const backend = guardBackend(input.backend, input.timeoutMs);
  const { scope } = input;
  return lazyTopicStore(
    async () => {
      const { openStore } = await import("./engine/open-store.ts");
      return openStore({ ...input, backend });
    },
    { scope },
  );
}
