import { cleanLine } from "../text/clean-text.ts";
import { insideBoundary } from "../prompts/boundaries.ts";
import type { StoredExtraction } from "../extraction/extraction.ts";
import type { HandEdit } from "../generation/memory.ts";

/** The text of a session under a heading with its id; empty without text. */
export function renderEntry({ threadId, updatedAtMs }: StoredExtraction, text: string): string {
  if (text.trim() === "") return "";
  // The text of one session must not look like the entry of another.
  const body = insideBoundary(text.trim()).replaceAll(/^(?=\s*#+\s*session\b)/gim, "\\");
  return `## session ${cleanLine(threadId)} (${isoDay(updatedAtMs)})\n${body}\n\n`;
}

/** The UTC day of a time; 1970-01-01 for an invalid one. */
export function isoDay(ms: number): string {
  const date = new Date(ms);
  return new Date(Number.isNaN(date.getTime()) ? 0 : date).toISOString().slice(0, 10);
}

/** The hand edits by file, removed lines first, because they appear nowhere else. */
export function renderHandEdits(edits: readonly HandEdit[]): string {
  return edits
    .map(({ path, addedLines, removedLines }) =>
      [
        `${cleanLine(path)}:`,
        ...removedLines.map((line) => `- ${line}`),
        ...addedLines.map((line) => `+ ${line}`),
        "",
      ].join("\n"),
    )
    .map(insideBoundary)
    .join("");
}
