import { checkText } from "../../check-arguments.ts";

/** A topic that a message names. */
export interface RecalledTopic {
  readonly slug: string;
  readonly description: string;
}

export const MAX_RECALLED_TOPICS = 3;

const START = "[memory that may apply: ";
const END = "]";
const SEPARATOR = "; ";
const DASH = " — ";

/**
 * The topics in a note of an older version, in order; none for any other text. Stored sessions contain such notes:
 * `[memory that may apply: slug — description; other — description]`.
 */
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
