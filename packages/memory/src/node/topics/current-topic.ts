import { indexLines } from "../../index-file/index-lines.ts";
import { sameTopic } from "../../store/plan-write.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import type { StoredTopic } from "../../store/topic-store.ts";
import { storedTopic } from "../../store/stored-topic.ts";
import { sha256Hex } from "../sha256-hex.ts";
import type { LockedStore } from "./transaction/transaction.ts";
import { readTopicFile } from "./files/topic-files.ts";

/** The topic that a name means, by the index: it has a line for every topic, so the directory need not be read. */
export async function currentTopic(
  { directory, index }: LockedStore,
  slug: TopicSlug,
): Promise<StoredTopic | undefined> {
  const exact = await readStored(directory, slug);
  if (exact !== undefined) return exact;
  const same = sameTopic(
    slug,
    indexLines(index).map((line) => line.slug),
  );
  return same && (await readStored(directory, same));
}

/** The topic that has exactly this name. */
export async function readStored(
  directory: string,
  slug: TopicSlug,
): Promise<StoredTopic | undefined> {
  const file = await readTopicFile(directory, slug);
  return file && storedTopic(file, sha256Hex);
}
