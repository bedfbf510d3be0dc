import { nodeDisk } from "@caliban/common/node";
import { newIndex, putIndexLine, removeIndexLine } from "../../index-file/edit-index.ts";
import { stripComments } from "../../markdown/comments.ts";
import { normalizeText } from "../../markdown/normalize.ts";
import { MAX_HEADER_BYTES, MAX_INDEX_BYTES, MAX_INDEX_LINES } from "../../topics/limits.ts";
import { parseTopicHeader } from "../../topics/parse-topic.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import { type IndexRepair, repairFromFiles } from "./files/index-from-files.ts";
import { indexPath, readFileOrBackup, topicPath } from "./files/topic-files.ts";
import { createHistoryFile } from "./history/history-file.ts";
import { historyPath } from "./history/history-tail.ts";

export interface RepairInput {
  /** The index as loaded for the prompt; empty if there is none. */
  readonly body: string;
  readonly directory: string;
  readonly historyDirectory: string | undefined;
}

/** The index for the prompt after a crash in the middle of a write, or after an external change. Writes nothing. */
export async function repairedIndex({
  body,
  directory,
  historyDirectory,
}: RepairInput): Promise<IndexRepair> {
  const start = body.trim() === "" ? stripComments(await indexOrBackup(directory)).text : body;
  // More lines would not fit in the prompt anyway.
  const repaired = await repairFromFiles(start, directory, MAX_INDEX_LINES);
  const unfinished = historyDirectory === undefined ? [] : await unfinishedSlugs(historyDirectory);
  let { text } = repaired;
  for (const slug of unfinished) text = await withCurrentLine(text, directory, slug);
  return { ...repaired, text };
}

/** The backup that a crashed writer did not restore, or a new index. */
async function indexOrBackup(directory: string): Promise<string> {
  const file = await readFileOrBackup(indexPath(directory), MAX_INDEX_BYTES * 4);
  return file.kind === "text" && file.text.trim() !== "" ? normalizeText(file.text) : newIndex();
}

async function unfinishedSlugs(historyDirectory: string): Promise<readonly TopicSlug[]> {
  const change = await createHistoryFile(historyPath(historyDirectory), nodeDisk).unfinished();
  return change?.files.map(({ slug }) => slug) ?? [];
}

async function withCurrentLine(text: string, directory: string, slug: TopicSlug): Promise<string> {
  const file = await readFileOrBackup(topicPath(directory, slug), MAX_HEADER_BYTES);
  if (file.kind !== "text") return removeIndexLine(text, slug);
  return putIndexLine(text, { ...parseTopicHeader(file.text), slug });
}
