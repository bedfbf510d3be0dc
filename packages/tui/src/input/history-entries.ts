import { isRecord, parseJson } from "@caliban/common";

/** A line that the user sent at the prompt. */
export interface HistoryEntry {
  readonly text: string;
  /** The root of the workspace in which it was sent. */
  readonly project: string;
}

const MAX_ENTRIES = 1000;
/** More is a pasted text, which no one looks for. */
const MAX_ENTRY_CHARACTERS = 8_000;
const MAX_TOTAL_CHARACTERS = 500_000;

/** Reads stored entries, oldest first. A damaged line never affects the others. */
export function parseHistory(text: string): readonly HistoryEntry[] {
  return text.split("\n").flatMap((line) => {
    const value = parseJson(line);
    if (!isRecord(value)) return [];
    const { text: sent, project } = value;
    return typeof sent === "string" && typeof project === "string" ? [{ text: sent, project }] : [];
  });
}

/** Adds an entry as the newest one. Drops the same text sent earlier in the project, and the oldest ones beyond the limits. */
export function addHistoryEntry(
  entries: readonly HistoryEntry[],
  added: HistoryEntry,
): readonly HistoryEntry[] {
  if (added.text.trim() === "" || added.text.length > MAX_ENTRY_CHARACTERS) return entries;
  const others = entries.filter(
    ({ text, project }) => text !== added.text || project !== added.project,
  );
  const kept = [...others, added].slice(-MAX_ENTRIES);
  let room = MAX_TOTAL_CHARACTERS;
  const first = kept.findLastIndex(({ text, project }) => {
    room -= text.length + project.length;
    return room < 0;
  });
  return kept.slice(first + 1);
}

/** One entry a line. */
export function renderHistory(entries: readonly HistoryEntry[]): string {
  return entries.map(({ text, project }) => `${JSON.stringify({ text, project })}\n`).join("");
}
