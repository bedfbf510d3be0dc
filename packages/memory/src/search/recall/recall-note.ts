import { estimateTokens, terminalSafeLine } from "@caliban/common";

/** A topic as a note names it. */
export interface RecalledTopic {
  readonly slug: string;
  readonly description: string;
}

export const MAX_RECALLED_TOPICS = 3;
export const MAX_RECALL_TOKENS = 120;

const BEGIN = "[memory that may apply: ";
const HOW = ". Notes, to be verified; ReadMemoryTopic reads one.]";
const END = "]";
const BETWEEN = "; ";
const DASH = " — ";
const CUT = "…";
const SHORTEST_DESCRIPTION = 12;

/**
 * The line that goes with a message: `[memory that may apply: slug — description]`, at most three topics and 120 tokens. Topics
 * whose names cannot stand in it are left out, and so are those that do not fit; `undefined` when none is left.
 */
export function recallNote(topics: readonly RecalledTopic[]): string | undefined {
  const fitting = topics.filter(({ slug }) => canBeNamed(slug)).slice(0, MAX_RECALLED_TOPICS);
  for (let count = fitting.length; count > 0; count--) {
    const shown = fitting.slice(0, count);
    const note = [HOW, END].map((end) => fittedNote(shown, end)).find((text) => text !== undefined);
    if (note !== undefined) return note;
  }
  return undefined;
}

/** The topics that a note names, in their order; none of a note of another kind. */
export function recalledSlugs(note: string): readonly string[] {
  const line = note.split("\n").find((text) => text.startsWith(BEGIN) && text.endsWith(END));
  if (line === undefined) return [];
  const entries = line.slice(BEGIN.length, -END.length).split(BETWEEN);
  return entries.flatMap((entry) => {
    const end = entry.indexOf(DASH);
    return end === -1 ? [] : [entry.slice(0, end)];
  });
}

/** Whether a name reads the same in a note as it is. */
function canBeNamed(slug: string): boolean {
  return slug !== "" && slug === harmless(slug);
}

/** The longest descriptions that fit, all cut alike; `undefined` when too little of them would be left. */
function fittedNote(topics: readonly RecalledTopic[], end: string): string | undefined {
  const entries = topics.map(({ slug, description }) => ({
    slug,
    letters: Array.from(harmless(description)),
  }));
  const noteOf = (most: number): string =>
    BEGIN +
    entries.map(({ slug, letters }) => slug + DASH + cutTo(letters, most)).join(BETWEEN) +
    end;
  const longest = Math.max(...entries.map(({ letters }) => letters.length));
  let least = Math.min(SHORTEST_DESCRIPTION, longest);
  let most = longest;
  if (estimateTokens(noteOf(least)) > MAX_RECALL_TOKENS) return undefined;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (estimateTokens(noteOf(middle)) <= MAX_RECALL_TOKENS) least = middle;
    else most = middle - 1;
  }
  return noteOf(least);
}

function cutTo(letters: readonly string[], most: number): string {
  if (letters.length <= most) return letters.join("");
  return `${letters
    .slice(0, most - 1)
    .join("")
    .trimEnd()}${CUT}`;
}

/** On one line, without anything that ends the note, begins another entry, or opens a tag. */
function harmless(text: string): string {
  return terminalSafeLine(text.toWellFormed().replace(/\s+/gu, " "))
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll(";", ",")
    .replaceAll("—", "-")
    .trim();
}
