import { utf8Bytes } from "@caliban/common";
import type { MemoryFile } from "./memory.ts";
import type { StoredExtraction } from "../extraction/extraction.ts";
import { uniqueName, safeName } from "./safe-name.ts";

const MAX_RAW_BYTES: number = 2 * 1024 * 1024;
const MAX_SUMMARY_FILES = 1_000;
const HEAD = "# What each session left, newest first\n";

/** The inputs of a consolidation as files for people: `raw_memories.md`, and one file per session. */
export function renderInputFiles(extractions: readonly StoredExtraction[]): readonly MemoryFile[] {
  const present = extractions
    .filter(({ isRemoved }) => !isRemoved)
    .toSorted((one, other) => other.updatedAtMs - one.updatedAtMs);
  const summaries = present.filter(({ rolloutSummary }) => rolloutSummary.trim() !== "");
  return [
    { path: "raw_memories.md", content: rawMemories(present) },
    ...summaryFiles(summaries.slice(0, MAX_SUMMARY_FILES)),
  ];
}

/** As many complete sessions as fit, and a line about the others. */
function rawMemories(extractions: readonly StoredExtraction[]): string {
  const texts = extractions
    .filter(({ rawMemory }) => rawMemory.trim() !== "")
    .map((extraction) => {
      const { threadId, rawMemory } = extraction;
      return `## Session ${shortLine(threadId)} (${dayOf(extraction)})\n\n${rawMemory.trim()}\n`;
    });
  let bytesLeft = MAX_RAW_BYTES - utf8Bytes(HEAD) - utf8Bytes(omissionLine(texts.length)) - 1;
  const kept: string[] = [];
  for (const text of texts) {
    bytesLeft -= utf8Bytes(text) + 1;
    if (bytesLeft < 0) break;
    kept.push(text);
  }
  const more = texts.length - kept.length;
  return [HEAD, ...kept, ...(more > 0 ? [omissionLine(more)] : [])].join("\n");
}

function omissionLine(count: number): string {
  const sessions = count === 1 ? "1 older session is" : `${count} older sessions are`;
  return `(${sessions} not shown here.)\n`;
}

function summaryFiles(extractions: readonly StoredExtraction[]): readonly MemoryFile[] {
  const names = new Set<string>();
  return extractions.map((extraction) => {
    const session = safeName(extraction.threadId) ?? "session";
    const slug = safeName(extraction.rolloutSlug ?? "") ?? "session";
    const name = uniqueName(`${session}-${slug.slice(0, 40)}`, names);
    names.add(name);
    const { threadId, rolloutSummary } = extraction;
    const header = `session: ${shortLine(threadId)}\ndate: ${dayOf(extraction)}\n`;
    return {
      path: `rollout_summaries/${name}.md`,
      content: `${header}\n${rolloutSummary.trim()}\n`,
    };
  });
}

function shortLine(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 200);
}

function dayOf({ updatedAtMs }: StoredExtraction): string {
  const date = new Date(updatedAtMs);
  return Number.isNaN(date.getTime()) ? "unknown" : date.toISOString().slice(0, 10);
}
