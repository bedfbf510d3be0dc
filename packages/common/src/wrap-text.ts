/** Breaks between words only; a word longer than the line stays whole. */
export function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** Wraps each line, and indents what continues it. Without a terminal nothing is wrapped. */
export function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split("\n")
    .map((line) => {
      const indent = " ".repeat(line.length - line.trimStart().length + 2);
      const [first = "", ...more] = wrapText(line, columns);
      const rest = more.length === 0 ? [] : wrapText(more.join(" "), columns - indent.length);
      return [first.trimEnd(), ...rest.map((each) => indent + each.trimStart())].join("\n");
    })
    .join("\n");
}

export interface HangInput {
  /** As it is without color. */
  readonly head: string;
  readonly text: string;
  /** `undefined` without a terminal: nothing is wrapped. */
  readonly columns: number | undefined;
  readonly paint?: (head: string) => string;
}

/** In less space than this, text next to its head is hard to read. */
const MIN_COLUMNS = 20;
const INDENT = "    ";

/** Puts a text next to its head, every line below the first one; or below the head, where it does not fit. */
export function hang({
  head,
  text,
  columns = Infinity,
  paint = (each) => each,
}: HangInput): string {
  const width = columns - head.length;
  const longestWord = Math.max(...text.split(" ").map((word) => word.length));
  if (width >= Math.max(longestWord, Math.min(MIN_COLUMNS, text.length)))
    return (paint(head) + wrapText(text, width).join(`\n${" ".repeat(head.length)}`)).trimEnd();
  const below = wrapText(text, columns - INDENT.length).map((line) => INDENT + line);
  return [paint(head.trimEnd()), ...below].join("\n");
}
