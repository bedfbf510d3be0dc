import { MemoryError } from "@caliban/memory";
import type { OpenTopics } from "./open-topics.ts";

/**
 * Writes down what others did to the topics, where that is possible: a look at a directory that cannot be written, or
 * where the notes are turned off, shows what there is.
 */
export async function noticeOthers({ store, session }: OpenTopics): Promise<void> {
  if (!session.settings.values["memory.auto"]) return;
  try {
    await store.notice();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
