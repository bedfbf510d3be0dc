import { checkText } from "../../check-arguments.ts";

/** A topic whose description may be shown. */
export interface RecalledTopic {
  readonly slug: string;
  readonly description: string;
}

export const MAX_RECALLED_TOPICS = 3;

const START = "[memory that may apply: ";
const END = "]";
const SEPARATOR = "; ";
const DASH = " — ";

/** The topics in a line that versions before 0.1 added to messages, in order; none for any other text. */
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
