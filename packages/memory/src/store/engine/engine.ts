import type { Queue } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import type { Sha256Hex } from "../../project/slug.ts";
import type { FindSecrets } from "../secrets.ts";
import type { TopicBackend } from "../topic-backend.ts";
import type { TopicList } from "../topic-store.ts";

/** An open store: its backend, and what it works with. */
export interface Engine {
  readonly backend: TopicBackend;
  readonly findSecrets: FindSecrets;
  readonly sha256Hex: Sha256Hex;
  readonly now: () => number;
  readonly listTopics: () => Promise<TopicList>;
  /** Adds a line to an index for every topic that has none, and removes those of topics that no longer exist. */
  readonly repairIndex: (text: string) => Promise<string>;
  /** Called before a change is planned. */
  readonly prepare: () => Promise<void>;
  /** Whether the index was repaired once. From then on, every change keeps it up to date. */
  isIndexRepaired: boolean;
  /** Orders the writes of this store, so that they do not conflict with one another. */
  readonly enqueue: Queue;
}

/** Someone else changed what the attempt had read. */
export const CONFLICT = "conflict";

/** How often an attempt is made again. Every time, another writer has made progress. */
const MAX_ATTEMPTS = 100;
const MAX_PAUSE_MS = 64;

/**
 * Reads, decides and commits, again from the start whenever someone else was faster.
 * @throws MemoryError `STORE_BUSY`
 */
export async function untilCommitted<T>(
  { enqueue, prepare }: Engine,
  attempt: () => Promise<T | typeof CONFLICT>,
): Promise<T> {
  return await enqueue(async () => {
    await prepare();
    for (let count = 1; count <= MAX_ATTEMPTS; count++) {
      const result = await attempt();
      if (result !== CONFLICT) return result;
      await pause(Math.min(2 ** count, MAX_PAUSE_MS));
    }
    const message = `others changed the same topics ${MAX_ATTEMPTS} times in a row; nothing was written, try again`;
    throw new MemoryError("STORE_BUSY", message);
  });
}

/** A random time, so that two writers do not meet again. */
async function pause(maxMs: number): Promise<void> {
  // oxlint-disable-next-line no-restricted-properties -- decides only who goes first
  await new Promise((resolve) => setTimeout(resolve, Math.random() * maxMs));
}
