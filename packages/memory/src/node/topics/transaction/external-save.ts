import { setTimeout as delay } from "node:timers/promises";
import { terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../../../errors.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import { hasContent } from "../files/plain-file.ts";
import { lstatUnlessMissing, topicPath } from "../files/topic-files.ts";
import type { LockedStore } from "./store-context.ts";

/** A topic is never empty, so an empty file is most likely the start of a save. */
const EMPTY_FACTOR = 8;

/**
 * Waits until another program has finished saving a topic. Many programs truncate the file and write the text afterwards.
 * If we replaced the file in between, the text would end up in a file without a name.
 */
export async function waitForSave(
  { context: { saveMs }, directory }: Pick<LockedStore, "context" | "directory">,
  { slug, text }: { readonly slug: TopicSlug; readonly text: string | null },
): Promise<void> {
  if (text === null) return;
  const stats = lstatUnlessMissing(topicPath(directory, slug));
  const ageMs = Math.abs(Date.now() - (stats?.mtimeMs ?? 0));
  const quietMs = text.trim() === "" ? saveMs * EMPTY_FACTOR : saveMs;
  if (ageMs < quietMs) await delay(quietMs - ageMs);
}

/** @throws MemoryError `CHANGED_MEANWHILE` if the topic has another text now */
export function assertUnchanged(
  directory: string,
  { slug, text }: { readonly slug: TopicSlug; readonly text: string | null },
): void {
  const path = topicPath(directory, slug);
  if (!hasContent(path, text)) throw changedMeanwhile(path);
}

export function changedMeanwhile(path: string): MemoryError {
  const message = `another program keeps changing ${terminalSafeLine(path)} during the write; nothing was overwritten, try again`;
  return new MemoryError("CHANGED_MEANWHILE", message);
}
