/** A text and where in it the words stand that were looked for. */
export interface MarkedText {
  readonly text: string;
  /** Beginning and end of each, in UTF-16 units, in order and apart from one another. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** The text with something before and after each mark. */
export function withMarks({ text, marks }: MarkedText, before: string, after: string): string {
  let end = 0;
  let marked = "";
  for (const [start, stop] of marks) {
    marked += text.slice(end, start) + before + text.slice(start, stop) + after;
    end = stop;
  }
  return marked + text.slice(end);
}
