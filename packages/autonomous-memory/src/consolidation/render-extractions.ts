import { cleanLine } from "../transcript/clean-text.ts";
import { insideBoundary } from "../prompts/boundaries.ts";
import type { StoredExtraction } from "../store/stored-extraction.ts";
import type { HandEdit } from "./consolidation-task.ts";

/** A session's text under a heading that names it; nothing for no text. */
export function renderEntry({ threadId, updatedAtMs }: StoredExtraction, text: string): string {
  if (text.trim() === "") return "";
  // What a session left cannot begin the entry of another one.
  const body = insideBoundary(text.trim()).replaceAll(/^(?=\s*#+\s*session\b)/gim, "\\");
  return `## session ${cleanLine(threadId)} (${isoDay(updatedAtMs)})\n${body}\n\n`;
}

/** The UTC day of a time; the first of all days for what is no time. */
export function isoDay(ms: number): string {
  const date = new Date(ms);
  return new Date(Number.isNaN(date.getTime()) ? 0 : date).toISOString().slice(0, 10);
}

/** What a person changed, file by file, removed lines first: nothing else shows those. */
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
