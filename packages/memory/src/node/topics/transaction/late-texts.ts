import { basename } from "node:path";
import { writeNewFile } from "@caliban/common/node";
import { INDEX_FILE } from "../../../topics/limits.ts";
import { slugFromFileName } from "../../../topics/slug.ts";
import { readTopicText } from "../files/topic-files.ts";
import { indexCopyPath } from "./conflict-copy.ts";
import type { LateText } from "./replaced-files.ts";
import { type LockedStore, recordExternalChange } from "./store-context.ts";

/**
 * Keeps what other programs wrote to files that we had already replaced. The text of a topic is recorded like a change
 * that was taken back at once, so that `undo` restores it. An index is merged.
 */
export async function recordLateTexts(locked: LockedStore): Promise<void> {
  const { context } = locked;
  for (const late of context.replaced.takeLateTexts()) {
    if (basename(late.path) === INDEX_FILE) {
      await writeNewFile(context.disk, indexCopyPath(late.path), late.text);
      // Then the copy is merged like any other.
      context.isClean = false;
    } else await recordLateTopic(locked, late);
  }
}

async function recordLateTopic(locked: LockedStore, { path, text }: LateText): Promise<void> {
  const slug = slugFromFileName(basename(path));
  if (slug === undefined) return;
  const now = await readTopicText(locked.directory, slug);
  if (now === text) return;
  await recordExternalChange(locked, { slug, before: now, after: text });
  await recordExternalChange(locked, { slug, before: text, after: now });
}
