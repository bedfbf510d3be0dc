import { searchTerms } from "../analyzer/query-terms.ts";
import { isSignificant } from "./common-words.ts";

/** What a person says in a message, without what was pasted into it. */
export interface MessageWords {
  /** The terms of each sentence, in the order in which they are said. */
  readonly sentences: readonly (readonly string[])[];
  /** All that is said, as a query. */
  readonly text: string;
  /** The words that tell what it is about, as a query. */
  readonly significantText: string;
  readonly significantTerms: ReadonlySet<string>;
}

/** People say what they want before or behind what they paste. */
const HEAD = 1_500;
const TAIL = 500;
const MOST_LINES_AS_THEY_ARE = 3;
const MOST_SENTENCES = 24;

export function extractMessageWords(message: string): MessageWords {
  const sentences = proseOf(message)
    .flatMap((line) => line.split(/[.!?]\s+|[。！？]/u))
    .filter((sentence) => sentence.trim() !== "")
    .slice(0, MOST_SENTENCES);
  const words = sentences.flatMap((sentence) => sentence.split(/\s+/));
  const tellingTerms = new Set<string>();
  const telling = words.filter((word) => {
    const terms = searchTerms(word).filter(isSignificant);
    for (const term of terms) tellingTerms.add(term);
    return terms.length > 0;
  });
  return {
    sentences: sentences.map(searchTerms),
    text: sentences.join("\n"),
    significantText: telling.join(" "),
    significantTerms: tellingTerms,
  };
}

function proseOf(message: string): readonly string[] {
  const lines = [
    ...outsideFences(message.slice(0, HEAD).split("\n")),
    ...outsideFences(lastParagraph(message)),
  ];
  return lines.length <= MOST_LINES_AS_THEY_ARE ? lines : lines.filter(isProse);
}

/** Of what stands behind the head; none of a message that has no more. */
function lastParagraph(message: string): readonly string[] {
  if (message.length <= HEAD) return [];
  const rest = message.slice(Math.max(HEAD, message.length - TAIL)).trimEnd();
  const start = Math.max(rest.lastIndexOf("\n\n"), rest.lastIndexOf("```\n"));
  // Without a beginning, it is a piece of what was pasted.
  return start === -1 ? [] : rest.slice(start).replace(/^```/, "").split("\n");
}

function outsideFences(lines: readonly string[]): readonly string[] {
  let isInside = false;
  return lines.filter((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isInside = !isInside;
    return !isFence && !isInside && line.trim() !== "";
  });
}

const LEAST_LETTERS = 0.8;
const CODE_END = /[;{}(),[\]>\\]\s*$/;
const INDENTED = /^(?: {4}|\t)/;

/** Whether a line among many is said and not pasted: mostly letters, and neither set in nor closed as code is. */
function isProse(line: string): boolean {
  if (INDENTED.test(line) || CODE_END.test(line)) return false;
  const letters = line.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  return letters >= line.length * LEAST_LETTERS;
}
