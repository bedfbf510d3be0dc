import { dirname } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import type { LoadedFile } from "../../prompt/loaded-file.ts";
import type { MemoryNotice } from "../../prompt/receipt.ts";
import { type IndexLine, indexLines, unlistedSlugs } from "../../index-file/index-lines.ts";
import { slugKey, type TopicSlug } from "../../topics/slug.ts";
import { hasUnfinishedChange } from "../topics/history/history-tail.ts";
import type { MendedIndex } from "../topics/files/index-from-files.ts";
import { editedSinceIndex, namesIn, topicSlugs } from "../topics/files/topic-files.ts";

/**
 * Holds the index that was loaded against the topics that are there, and mends it in the prompt only: a session may
 * look at memory that it may not write. What it takes to read a topic is loaded when there is something to mend.
 */
export async function repairIndex(
  file: LoadedFile,
  historyDirectory: string | undefined,
): Promise<LoadedFile> {
  const directory = dirname(file.candidate.path);
  const slugs = listTopics(directory);
  if (slugs === undefined) return { ...file, notices: [...file.notices, notChecked(directory)] };
  const index = indexIn(file, slugs.length);
  if (index === undefined) return file;
  const counted: LoadedFile = { ...index, topicCount: slugs.length };
  const isUnfinished = historyDirectory !== undefined && hasUnfinishedChange(historyDirectory);
  // Of an index that is too long to be read, nobody knows what it lacks.
  const isSound = isInOrder(index.body, slugs) && editedSinceIndex(directory, slugs).length === 0;
  if (index.unreadBytes > 0 || (!isUnfinished && isSound)) return counted;
  const { mendedIndex } = await import("../topics/repaired-index.ts");
  const mended = await mendedIndex({ body: index.body, directory, historyDirectory });
  return {
    ...counted,
    body: mended.text,
    notices: [...index.notices, ...mendedNotice(mended)],
  };
}

type LoadedIndex = Extract<LoadedFile, { readonly body: string }>;

/** An index that is not there counts as an empty one when there are topics; one that was refused stays refused. */
function indexIn(file: LoadedFile, topicCount: number): LoadedIndex | undefined {
  if ("body" in file) return file;
  if (file.notLoaded.reason !== "ABSENT" || topicCount === 0) return undefined;
  const { candidate, imports, notices } = file;
  return { candidate, imports, notices, body: "", fileBytes: 0, unreadBytes: 0 };
}

function listTopics(directory: string): readonly TopicSlug[] | undefined {
  try {
    return topicSlugs(namesIn(directory));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Every topic has a line, and no line of ours is for one that is gone. */
function isInOrder(body: string, slugs: readonly TopicSlug[]): boolean {
  const lines = indexLines(body);
  const there = new Set(slugs.map(slugKey));
  const isDead = ({ slug, isOurs }: IndexLine): boolean => isOurs && !there.has(slugKey(slug));
  return unlistedSlugs(slugs, lines).length === 0 && !lines.some(isDead);
}

function notChecked(directory: string): MemoryNotice {
  const sentence = `${terminalSafeLine(directory)} cannot be listed, so nobody knows whether the index is up to date.`;
  return { code: "INDEX_NOT_CHECKED", message: sentence };
}

function mendedNotice({ added, dropped, renewed }: MendedIndex): readonly MemoryNotice[] {
  const parts = [
    ...(added.length === 0
      ? []
      : [`${topics(added)} had no line and ${added.length === 1 ? "has" : "have"} one here`]),
    ...(dropped.length === 0 ? [] : [`the lines of ${topics(dropped)}, gone by now, are left out`]),
    ...(renewed.length === 0 ? [] : [`${topics(renewed)} changed since its line was written`]),
  ];
  if (parts.length === 0) return [];
  const sentence = `The index was out of date: ${parts.join("; ")}. The next write, or \`caliban memory rebuild-index\`, mends the file.`;
  return [{ code: "INDEX_MENDED", message: sentence }];
}

const MOST_NAMED = 5;

function topics(slugs: readonly TopicSlug[]): string {
  const named = slugs.slice(0, MOST_NAMED).map(terminalSafeLine).join(", ");
  return slugs.length > MOST_NAMED ? `${named} and ${slugs.length - MOST_NAMED} more` : named;
}
