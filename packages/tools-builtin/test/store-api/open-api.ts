import { createHash } from "node:crypto";
import { isRecord } from "@caliban/common";
import type { TopicStore } from "@caliban/memory";
import { type ApiAnswer, createStoreApi, type ServedStore } from "../../src/store-api/index.ts";
import { policyWith } from "../support/rules.ts";

const STORE = "memstore_1";

export interface Sent extends ApiAnswer {
  readonly body: Readonly<Record<string, unknown>>;
}

interface SendOptions {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly access?: "read" | "write" | "none";
  readonly mayRedact?: boolean;
}

export interface TestApi {
  /** The path is below the store. */
  readonly send: (method: string, path: string, options?: SendOptions) => Promise<Sent>;
}

export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function openApi(store: TopicStore, served: Partial<ServedStore> = {}): TestApi {
  let ms = 0;
  const api = createStoreApi({
    stores: [
      { id: STORE, name: "app", description: "", store, policy: () => policyWith({}), ...served },
    ],
    sha256Hex,
    now: Date.now,
    // Each look at the clock is a minute later, so that nothing is believed to be missing for long.
    monotonicMs: () => (ms += 60_000),
  });
  return {
    send: async (method, path, { body, query = {}, access = "write", mayRedact = false } = {}) => {
      const client = {
        name: "ci",
        mayRedact,
        access: (id: string) => (id === STORE && access !== "none" ? access : undefined),
      };
      const answer = await api({
        method,
        path: `/v1/memory_stores/${STORE}${path}`,
        query,
        body,
        client,
      });
      if (!isRecord(answer.body)) throw new Error("not an object");
      return { ...answer, body: answer.body };
    },
  };
}

/** The type of an error. */
export function errorOf({ body }: Sent): unknown {
  return isRecord(body["error"]) ? body["error"]["type"] : undefined;
}
