import { dirname } from "node:path";
import { command, terminalSafeLine, withCommands } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { type IndexLine, parseIndexLines, unlistedSlugs } from "../../index-file/index-lines.ts";
import type { Candidate } from "../../prompt/candidates.ts";
import type { ReadFile, ReadText } from "../../prompt/prepare.ts";
import type { MemoryNotice } from "../../notice.ts";
import { slugKey, type TopicSlug } from "../../topics/slug.ts";
import type { IndexRepair } from "../topics/files/index-from-files.ts";
import { listFileNames, topicSlugs, topicsNewerThanIndex } from "../topics/files/topic-files.ts";
import { hasUnfinishedChange } from "../topics/history/history-tail.ts";

/**
 * Checks the index against the topic files and repairs it in the prompt only: a session may read memory that it must not
 * write. The code that reads topics is loaded only when there is something to repair.
 */
export async function repairIndex(
  file: ReadFile,
  historyDirectory: string | undefined,
): Promise<ReadFile> {
  const directory = dirname(file.candidate.path);
  const slugs = listTopics(directory);
  if (slugs === undefined)
    return { ...file, notices: [...(file.notices ?? []), notChecked(directory)] };
  const index = toIndex(file, slugs.length);
  if (index === undefined) return file;
  const counted: ReadFile = { ...index, topicCount: slugs.length };
  const isUnfinished = historyDirectory !== undefined && hasUnfinishedChange(historyDirectory);
  const text = textOf(index);
  const isCurrent =
    listsExactly(text, slugs) && topicsNewerThanIndex(directory, slugs).length === 0;
  // There is no telling what is missing from an index that is too long to be read.
  if ((index.unreadBytes ?? 0) > 0 || (!isUnfinished && isCurrent)) return counted;
  const { repairedIndex } = await import("../topics/repaired-index.ts");
  const repaired = await repairedIndex({ body: text, directory, historyDirectory });
  return {
    ...counted,
    source: repaired.text,
    notices: [...(index.notices ?? []), ...repairedNotices(repaired, file.candidate)],
  };
}

type ReadIndex = ReadFile & ReadText;

/** A missing index counts as an empty one when there are topics; one that was refused stays refused. */
function toIndex(file: ReadFile, topicCount: number): ReadIndex | undefined {
  if ("source" in file) return file;
  if (file.notLoaded.code !== "ABSENT" || topicCount === 0) return undefined;
  const { candidate, notices = [] } = file;
  return { candidate, notices, source: "", fileBytes: 0, unreadBytes: 0 };
}

function textOf({ source }: ReadIndex): string {
  return typeof source === "string" ? source : "";
}

function listTopics(directory: string): readonly TopicSlug[] | undefined {
  try {
    return topicSlugs(listFileNames(directory));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Whether every topic has a line, and no generated line is for a topic that is gone. */
function listsExactly(text: string, slugs: readonly TopicSlug[]): boolean {
  const lines = parseIndexLines(text);
  const existing = new Set(slugs.map(slugKey));
  const isDead = ({ slug, isGenerated }: IndexLine): boolean =>
    isGenerated && !existing.has(slugKey(slug));
  return unlistedSlugs(slugs, lines).length === 0 && !lines.some(isDead);
}

function notChecked(directory: string): MemoryNotice {
  const message = `Cannot list ${terminalSafeLine(directory)}, so the index could not be checked.`;
  return { code: "INDEX_NOT_CHECKED", message };
}

function repairedNotices(
  { added, dropped, updated }: IndexRepair,
  { scope }: Candidate,
): readonly MemoryNotice[] {
  const parts = [
    ...(added.length === 0 ? [] : [`added ${formatTopics(added)}`]),
    ...(dropped.length === 0 ? [] : [`dropped ${formatTopics(dropped)} (deleted)`]),
    ...(updated.length === 0 ? [] : [`updated ${formatTopics(updated)}`]),
  ];
  if (parts.length === 0) return [];
  const rebuild = scope === "user" ? "memory rebuild-index --user" : "memory rebuild-index";
  const message = withCommands`The index was out of date and was repaired in the prompt: ${parts.join("; ")}. The next write repairs the file, or run: ${command(rebuild)}`;
  return [{ code: "INDEX_MENDED", ...message }];
}

const MAX_NAMED = 5;

function formatTopics(slugs: readonly TopicSlug[]): string {
  const named = slugs.slice(0, MAX_NAMED).map(terminalSafeLine).join(", ");
  return slugs.length > MAX_NAMED ? `${named} and ${slugs.length - MAX_NAMED} more` : named;
}
