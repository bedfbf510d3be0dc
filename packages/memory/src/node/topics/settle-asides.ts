import { join } from "node:path";
import { type Disk, readTextFile, removeQuietly } from "@caliban/common/node";
import type { FileChange } from "../../topic/change.ts";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "../../topic/limits.ts";
import { slugOfFile, type TopicSlug } from "../../topic/slug.ts";
import { isPlainFile } from "./plain-file.ts";
import { putBack } from "./swap-file.ts";
import {
  asidePath,
  nameOfAside,
  namesIn,
  readTopicFile,
  statsOf,
  topicPath,
} from "./topic-files.ts";

export interface AsidesInput {
  readonly directory: string;
  readonly disk: Disk;
  /** The texts that the history has of a topic. */
  readonly isRecorded: (slug: TopicSlug, text: string) => Promise<boolean>;
  /** Whether the history says that a topic is gone. */
  readonly isRemoved: (slug: TopicSlug) => Promise<boolean>;
  readonly record: (file: FileChange) => Promise<void>;
  /** Puts what an index said that was kept aside into the one that is there. */
  readonly mergeIndex: (text: string) => Promise<void>;
}

/**
 * Sees to the files that were moved aside and did not come back, because a writer died or two wrote at once: one whose
 * name is free gets it back, and a text that stands nowhere else goes into the history.
 */
export async function settleAsides(input: AsidesInput): Promise<void> {
  for (const aside of namesIn(input.directory)) {
    const name = nameOfAside(aside);
    const slug = name === undefined ? undefined : slugOfFile(name);
    // oxlint-disable-next-line no-await-in-loop -- hardly ever one
    if (slug !== undefined) await settleTopic(input, slug);
    // oxlint-disable-next-line no-await-in-loop
    else if (name === INDEX_FILE || aside === KEPT_INDEX) await settleIndex(input);
  }
}

/** Where an index is until it is merged: its own name aside is needed for that. */
const KEPT_INDEX = `${INDEX_FILE}.kept.tmp`;

async function settleTopic(input: AsidesInput, slug: TopicSlug): Promise<void> {
  const { directory, disk } = input;
  const path = topicPath(directory, slug);
  isPlainFile(asidePath(path));
  const text = await textOf(asidePath(path));
  if (text === undefined) return;
  const isFree = statsOf(path) === undefined;
  if (isFree && !(await input.isRemoved(slug)) && (await putBack(disk, path))) return;
  if (!(await input.isRecorded(slug, text))) {
    const after = isFree ? null : ((await readTopicFile(directory, slug))?.text ?? null);
    if (text !== after) await input.record({ slug, before: text, after });
  }
  await removeQuietly(disk, asidePath(path));
}

async function settleIndex({ directory, disk, mergeIndex }: AsidesInput): Promise<void> {
  const path = join(directory, INDEX_FILE);
  const kept = join(directory, KEPT_INDEX);
  const isAside = isPlainFile(asidePath(path));
  if (isAside && statsOf(path) === undefined && (await putBack(disk, path))) return;
  if (isAside && statsOf(kept) === undefined) await disk.rename(asidePath(path), kept);
  const text = await textOf(kept);
  if (text === undefined) return;
  await mergeIndex(text);
  await removeQuietly(disk, kept);
}

/** `undefined` for what nobody could put into a history: it stays where it is. */
async function textOf(path: string): Promise<string | undefined> {
  const file = await readTextFile(path, MAX_TOPIC_BYTES * 4, { refuseLinks: true });
  const isWhole = file.kind === "text" && file.readBytes === file.fileBytes;
  return isWhole && file.invalidAt === undefined ? file.text : undefined;
}
