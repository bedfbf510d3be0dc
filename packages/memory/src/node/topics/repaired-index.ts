import { nodeDisk } from "@caliban/common/node";
import { normalizeText } from "../../markdown/normalize.ts";
import { sanitize } from "../../prompt/sanitize.ts";
import { stripComments } from "../../markdown/comments.ts";
import { removeIndexLine, newIndex, putIndexLine } from "../../index-file/edit-index.ts";
import { MAX_HEADER_BYTES, MAX_INDEX_BYTES, MAX_INDEX_LINES } from "../../topics/limits.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import { parseTopicHeader } from "../../topics/parse-topic.ts";
import { createHistoryFile } from "./history/history-file.ts";
import { historyPath } from "./history/history-tail.ts";
import { type IndexRepair, repairFromFiles } from "./files/index-from-files.ts";
import { indexPath, readFileOrBackup, topicPath } from "./files/topic-files.ts";

export interface RepairInput {
  /** The index as it would stand in the prompt; empty when there is none. */
  readonly body: string;
  readonly directory: string;
  readonly historyDirectory: string | undefined;
}

/** The index as it would stand in the prompt had nobody died in the middle of a write, or written past it. */
export async function repairedIndex({
  body,
  directory,
  historyDirectory,
}: RepairInput): Promise<IndexRepair> {
  const start = body.trim() === "" ? stripComments(await lostIndex(directory)).text : body;
  // More could not be shown anyway.
  const repaired = await repairFromFiles(start, directory, MAX_INDEX_LINES);
  const unfinished = historyDirectory === undefined ? [] : await unfinishedSlugs(historyDirectory);
  let { text } = repaired;
  // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
  for (const slug of unfinished) text = await withLineOf(text, directory, slug);
  return { ...repaired, text: sanitize(text) };
}

/** The index that somebody moved aside and did not live to put back, else a new one. */
async function lostIndex(directory: string): Promise<string> {
  const file = await readFileOrBackup(indexPath(directory), MAX_INDEX_BYTES * 4);
  return file.kind === "text" && file.text.trim() !== "" ? normalizeText(file.text) : newIndex();
}

async function unfinishedSlugs(historyDirectory: string): Promise<readonly TopicSlug[]> {
  const change = await createHistoryFile(historyPath(historyDirectory), nodeDisk).unfinished();
  return change?.files.map(({ slug }) => slug) ?? [];
}

async function withLineOf(text: string, directory: string, slug: TopicSlug): Promise<string> {
  const file = await readFileOrBackup(topicPath(directory, slug), MAX_HEADER_BYTES);
  if (file.kind !== "text") return removeIndexLine(text, slug);
  return putIndexLine(text, { ...parseTopicHeader(file.text), slug });
}
