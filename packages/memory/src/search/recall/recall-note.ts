import { estimateTokens, terminalSafeLine } from "@caliban/common";
import { checkText } from "../../check-arguments.ts";

/** A topic in a recall note. */
export interface RecalledTopic {
  readonly slug: string;
  readonly description: string;
}

export const MAX_RECALLED_TOPICS = 3;
const MAX_RECALL_TOKENS = 120;

const START = "[memory that may apply: ";
const HINT = ". Notes, to be verified; ReadMemoryTopic reads one.]";
const END = "]";
const SEPARATOR = "; ";
const DASH = " — ";
const ELLIPSIS = "…";
const MIN_DESCRIPTION_CHARACTERS = 12;

/**
 * The line added to a message: `[memory that may apply: slug — description]`, at most three topics and 120 tokens. Leaves
 * out topics whose names would have to be escaped and topics that do not fit; `undefined` if none is left.
 */
export function recallNote(topics: readonly RecalledTopic[]): string | undefined {
  const fitting = topics.filter(({ slug }) => isPlainName(slug)).slice(0, MAX_RECALLED_TOPICS);
  for (let count = fitting.length; count > 0; count--) {
    const shown = fitting.slice(0, count);
    const note = [HINT, END]
      .map((end) => fittedNote(shown, end))
      .find((text) => text !== undefined);
    if (note !== undefined) return note;
  }
  return undefined;
}

/** The topics in a recall note, in order; none for any other text. */
export function recalledSlugs(note: string): readonly string[] {
  checkText("recalledSlugs", note);
  const line = note.split("\n").find((text) => text.startsWith(START) && text.endsWith(END));
  if (line === undefined) return [];
  const entries = line.slice(START.length, -END.length).split(SEPARATOR);
  return entries.flatMap((entry) => {
    const end = entry.indexOf(DASH);
    return end === -1 ? [] : [entry.slice(0, end)];
  });
}

/** Whether a name needs no escaping in a note. */
function isPlainName(slug: string): boolean {
  return slug !== "" && slug === sanitizeText(slug);
}

/** Fits the descriptions into the limit, all cut to the same length; `undefined` if too little of them would be left. */
function fittedNote(topics: readonly RecalledTopic[], end: string): string | undefined {
  const entries = topics.map(({ slug, description }) => ({
    slug,
    characters: Array.from(sanitizeText(description)),
  }));
  const noteOf = (length: number): string =>
    START +
    entries
      .map(({ slug, characters }) => slug + DASH + truncate(characters, length))
      .join(SEPARATOR) +
    end;
  const longest = Math.max(...entries.map(({ characters }) => characters.length));
  let low = Math.min(MIN_DESCRIPTION_CHARACTERS, longest);
  let high = longest;
  if (estimateTokens(noteOf(low)) > MAX_RECALL_TOKENS) return undefined;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(noteOf(middle)) <= MAX_RECALL_TOKENS) low = middle;
    else high = middle - 1;
  }
  return noteOf(low);
}

function truncate(characters: readonly string[], maxLength: number): string {
  if (characters.length <= maxLength) return characters.join("");
  return `${characters
    .slice(0, maxLength - 1)
    .join("")
    .trimEnd()}${ELLIPSIS}`;
}

/** Puts a text on one line and replaces anything that could end the note, start another entry, or open a tag. */
function sanitizeText(text: string): string {
  return terminalSafeLine(text.toWellFormed().replace(/\s+/gu, " "))
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll(";", ",")
    .replaceAll("—", "-")
    .trim();
}
