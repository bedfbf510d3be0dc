import type { PlacedFile } from "../consolidation/consolidation-task.ts";
import type { StoredExtraction } from "../store/stored-extraction.ts";
import { freeName, safeName } from "./safe-name.ts";

/** The inputs of a consolidation as files for people: `raw_memories.md`, and a file a session. */
export function keptInputs(extractions: readonly StoredExtraction[]): readonly PlacedFile[] {
  const there = extractions
    .filter(({ isRemoved }) => !isRemoved)
    .toSorted((one, other) => other.updatedAtMs - one.updatedAtMs);
  const raw = there.filter(({ rawMemory }) => rawMemory.trim() !== "");
  const text = raw.map((extraction) => {
    const { threadId, rawMemory } = extraction;
    return `## Session ${oneWord(threadId)} (${dayOf(extraction)})\n\n${rawMemory.trim()}\n`;
  });
  const head = "# What each session left, newest first\n";
  return [
    { path: "raw_memories.md", content: [head, ...text].join("\n") },
    ...summaryFiles(there.filter(({ rolloutSummary }) => rolloutSummary.trim() !== "")),
  ];
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
