import { dirname } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import type { LoadedFile } from "../loaded-file.ts";
import type { Notice } from "../receipt.ts";
import { indexLines } from "../topic/index-lines.ts";
import { slugKey, type TopicSlug } from "../topic/slug.ts";
import { hasUnfinishedChange } from "./topics/history-tail.ts";
import { namesIn, topicSlugs } from "./topics/topic-files.ts";

/**
 * Holds the index that was loaded against the topics that are there, and mends it in the prompt only: a session may
 * look at memory that it may not write. What it takes to read a topic is loaded when there is something to mend.
 */
export async function mendIndex(
  file: LoadedFile,
  historyDirectory: string | undefined,
): Promise<LoadedFile> {
  const directory = dirname(file.candidate.path);
  const slugs = listTopics(directory);
  if (slugs === undefined) return withNotices(file, [notChecked(directory)]);
  const isAbsent = "notLoaded" in file && file.notLoaded.reason === "ABSENT";
  if ("notLoaded" in file && !(isAbsent && slugs.length > 0)) return file;
  const body = "body" in file ? file.body : "";
  const isCut = "body" in file && file.unreadBytes > 0;
  const counted: LoadedFile = "body" in file ? { ...file, topicCount: slugs.length } : file;
  const isUnfinished = historyDirectory !== undefined && hasUnfinishedChange(historyDirectory);
  // Of an index that is too long to be read, nobody knows what it lacks.
  if (isCut || (!isUnfinished && isInOrder(body, slugs))) return counted;
  const { mendedIndex } = await import("./topics/mended-index.ts");
  const { text, added, dropped } = await mendedIndex({ body, directory, historyDirectory });
  const size = { fileBytes: "body" in file ? file.fileBytes : 0, unreadBytes: 0 };
  const { candidate, imports, notices } = file;
  return {
    candidate,
    imports,
    notices: [...notices, ...mendedNotice(added, dropped)],
    body: text,
    ...size,
    topicCount: slugs.length,
  };
}

function listTopics(directory: string): readonly TopicSlug[] | undefined {
  try {
    return topicSlugs(namesIn(directory));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function isInOrder(body: string, slugs: readonly TopicSlug[]): boolean {
  const listed = new Set(indexLines(body).map(({ slug }) => slugKey(slug)));
  const there = new Set(slugs.map(slugKey));
  return listed.size === there.size && [...there].every((key) => listed.has(key));
}

function withNotices(file: LoadedFile, notices: readonly Notice[]): LoadedFile {
  return { ...file, notices: [...file.notices, ...notices] };
}

function notChecked(directory: string): Notice {
  const sentence = `${terminalSafeLine(directory)} cannot be listed, so nobody knows whether the index is up to date.`;
  return { code: "INDEX_NOT_CHECKED", sentence };
}

function mendedNotice(
  added: readonly TopicSlug[],
  dropped: readonly TopicSlug[],
): readonly Notice[] {
  const parts = [
    ...(added.length === 0
      ? []
      : [`${topics(added)} had no line and ${added.length === 1 ? "has" : "have"} one here`]),
    ...(dropped.length === 0 ? [] : [`the lines of ${topics(dropped)}, gone by now, are left out`]),
  ];
  if (parts.length === 0) return [];
  const sentence = `The index was out of date: ${parts.join("; ")}. The next write, or \`caliban memory rebuild-index\`, mends the file.`;
  return [{ code: "INDEX_MENDED", sentence }];
}

const MOST_NAMED = 5;

function topics(slugs: readonly TopicSlug[]): string {
  const named = slugs.slice(0, MOST_NAMED).map(terminalSafeLine).join(", ");
  return slugs.length > MOST_NAMED ? `${named} and ${slugs.length - MOST_NAMED} more` : named;
}
