import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../../command.ts";
import type { OpenTopics } from "./open-topics.ts";

/**
 * Writes down what others did to the topics, where that is possible: a look at a directory that cannot be written, or
 * where the notes are turned off, shows what there is.
 */
export async function noticeOthers(
  { bare, memory }: Invocation,
  { store, project }: OpenTopics,
): Promise<void> {
  if (bare || !memory || !project.settings.values["memory.auto"]) return;
  try {
    await store.recordExternalChanges();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
