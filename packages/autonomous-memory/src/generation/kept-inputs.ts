import { utf8Bytes } from "@caliban/common";
import type { PlacedFile } from "../consolidation/consolidation-task.ts";
import type { StoredExtraction } from "../store/stored-extraction.ts";
import { freeName, safeName } from "./safe-name.ts";

const MAX_RAW_BYTES: number = 2 * 1024 * 1024;
const MAX_SUMMARY_FILES = 1_000;
const HEAD = "# What each session left, newest first\n";

/** The inputs of a consolidation as files for people: `raw_memories.md`, and a file a session. */
export function keptInputs(extractions: readonly StoredExtraction[]): readonly PlacedFile[] {
  const there = extractions
    .filter(({ isRemoved }) => !isRemoved)
    .toSorted((one, other) => other.updatedAtMs - one.updatedAtMs);
  const summaries = there.filter(({ rolloutSummary }) => rolloutSummary.trim() !== "");
  return [
    { path: "raw_memories.md", content: rawMemories(there) },
    ...summaryFiles(summaries.slice(0, MAX_SUMMARY_FILES)),
  ];
}

/** As many whole sessions as there is room for, and a line for the others. */
function rawMemories(extractions: readonly StoredExtraction[]): string {
  const texts = extractions
    .filter(({ rawMemory }) => rawMemory.trim() !== "")
    .map((extraction) => {
      const { threadId, rawMemory } = extraction;
      return `## Session ${oneWord(threadId)} (${dayOf(extraction)})\n\n${rawMemory.trim()}\n`;
    });
  let roomBytes = MAX_RAW_BYTES - utf8Bytes(HEAD) - utf8Bytes(left(texts.length)) - 1;
  const kept: string[] = [];
  for (const text of texts) {
    roomBytes -= utf8Bytes(text) + 1;
    if (roomBytes < 0) break;
    kept.push(text);
  }
  const more = texts.length - kept.length;
  return [HEAD, ...kept, ...(more > 0 ? [left(more)] : [])].join("\n");
}

function left(count: number): string {
  const sessions = count === 1 ? "1 older session is" : `${count} older sessions are`;
  return `(${sessions} not shown here.)\n`;
}

function summaryFiles(extractions: readonly StoredExtraction[]): readonly PlacedFile[] {
  const names = new Set<string>();
  return extractions.map((extraction) => {
    const session = safeName(extraction.threadId) ?? "session";
    const slug = safeName(extraction.rolloutSlug ?? "") ?? "session";
    const name = freeName(`${session}-${slug.slice(0, 40)}`, names);
    names.add(name);
    const { threadId, rolloutSummary } = extraction;
    const header = `session: ${oneWord(threadId)}\ndate: ${dayOf(extraction)}\n`;
    return {
      path: `rollout_summaries/${name}.md`,
      content: `${header}\n${rolloutSummary.trim()}\n`,
    };
  });
}

function oneWord(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 200);
}

function dayOf({ updatedAtMs }: StoredExtraction): string {
  const date = new Date(updatedAtMs);
  return Number.isNaN(date.getTime()) ? "unknown" : date.toISOString().slice(0, 10);
}
