import { searchTerms } from "../analyzer/query-terms.ts";
import { isSignificant } from "./common-words.ts";

/** What the user says in a message, without pasted text. */
export interface MessageWords {
  /** The terms of each sentence, in order. */
  readonly sentences: readonly (readonly string[])[];
  /** The whole message, as a query. */
  readonly text: string;
  /** The significant words, as a query. */
  readonly significantText: string;
  readonly significantTerms: ReadonlySet<string>;
}

/** Users say what they want before or after the text they paste. */
const HEAD_CHARACTERS = 1_500;
const TAIL_CHARACTERS = 500;
const MAX_UNFILTERED_LINES = 3;
const MAX_SENTENCES = 24;

export function parseMessage(message: string): MessageWords {
  const sentences = proseOf(message)
    .flatMap((line) => line.split(/[.!?]\s+|[。！？]/u))
    .filter((sentence) => sentence.trim() !== "")
    .slice(0, MAX_SENTENCES);
  const words = sentences.flatMap((sentence) => sentence.split(/\s+/));
  const significantTerms = new Set<string>();
  const significant = words.filter((word) => {
    const terms = searchTerms(word).filter(isSignificant);
    for (const term of terms) significantTerms.add(term);
    return terms.length > 0;
  });
  return {
    sentences: sentences.map(searchTerms),
    text: sentences.join("\n"),
    significantText: significant.join(" "),
    significantTerms,
  };
}

function proseOf(message: string): readonly string[] {
  const lines = [
    ...outsideFences(message.slice(0, HEAD_CHARACTERS).split("\n")),
    ...outsideFences(lastParagraph(message)),
  ];
  return lines.length <= MAX_UNFILTERED_LINES ? lines : lines.filter(isProse);
}

/** The last paragraph after the head; nothing if the message is not longer. */
function lastParagraph(message: string): readonly string[] {
  if (message.length <= HEAD_CHARACTERS) return [];
  const rest = message.slice(Math.max(HEAD_CHARACTERS, message.length - TAIL_CHARACTERS)).trimEnd();
  const start = Math.max(rest.lastIndexOf("\n\n"), rest.lastIndexOf("```\n"));
  // A paragraph without a visible start is part of the pasted text.
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

const MIN_LETTER_SHARE = 0.8;
const CODE_END = /[;{}(),[\]>\\]\s*$/;
const INDENTED = /^(?: {4}|\t)/;

/** Whether a line is prose and not pasted code: mostly letters, not indented, and without a typical end of code. */
function isProse(line: string): boolean {
  if (INDENTED.test(line) || CODE_END.test(line)) return false;
  const letters = line.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  return letters >= line.length * MIN_LETTER_SHARE;
}
