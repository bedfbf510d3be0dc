import { parseRawMemory } from "../model/rules/memory-line.ts";
import type { StoredExtraction } from "../extraction/extraction.ts";
import { type Term, termsOf } from "./terms.ts";

/** Something that a memory was able to answer, or is expected to. */
export interface ExamQuestion {
  /** The fact or the expected line, for people. */
  readonly text: string;
  /** What to look for. Without any, everything is looked at. */
  readonly question: readonly string[];
  /** What must be found there. */
  readonly answer: readonly string[];
  /** The share of the answer that is enough: a fact may be rephrased, an expected answer may not. */
  readonly neededShare: number;
}

/** What questions are made from. */
export interface QuestionSources {
  readonly extractions: readonly StoredExtraction[];
  /** Lines such as `Which tool deploys? pnpm ship`. */
  readonly expect?: readonly string[] | undefined;
  /** Whether the user had a statement forgotten. */
  readonly isForgotten?:
    | ((statement: { readonly text: string; readonly session: string }) => boolean)
    | undefined;
}

const MAX_FACTS = 200;
const MAX_EXPECTED = 100;
const MAX_ANSWER_TERMS = 3;
const CODE_SHARE = 0.6;
// Plain words are often replaced by others.
const PLAIN_SHARE = 0.5;

/**
 * Derives questions from what is known of past sessions, newest first, and from expected answers. Facts that no memory
 * has seen yet, that were forgotten or removed, and that a newer fact replaces are left out.
 */
export function examQuestions(sources: QuestionSources): readonly ExamQuestion[] {
  const facts = factsOf(sources);
  const counts = new Map<string, number>();
  for (const { key } of facts.flatMap(({ terms }) => terms)) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const questions = facts
    .filter(({ isNew }) => !isNew)
    .flatMap((fact) => {
      const question = factQuestion(fact, counts);
      if (question === undefined) return [];
      const isReplaced = facts.some((other) => replaces(other, fact, question));
      return isReplaced ? [] : [question];
    });
  return [...expectedQuestions(sources.expect ?? []), ...questions.slice(0, MAX_FACTS)];
}

interface Fact {
  readonly text: string;
  readonly terms: readonly Term[];
  readonly keys: ReadonlySet<string>;
  readonly updatedAtMs: number;
  readonly isNew: boolean;
}

// Some are skipped later.
const MAX_LINES = 1_000;

function factsOf({ extractions, isForgotten }: QuestionSources): readonly Fact[] {
  const lines = extractions
    .filter(({ isRemoved }) => !isRemoved)
    .toSorted((one, other) => other.updatedAtMs - one.updatedAtMs)
    .flatMap(({ rawMemory, threadId: session, updatedAtMs, isNew }) =>
      parseRawMemory(rawMemory, { session, day: "" }).map(({ text }) => {
        return { text, session, updatedAtMs, isNew };
      }),
    );
  return lines
    .slice(0, MAX_LINES)
    .filter(({ text, session }) => isForgotten?.({ text, session }) !== true)
    .map(({ text, updatedAtMs, isNew }) => {
      const terms = termsOf(text);
      return { text, terms, keys: new Set(terms.map(({ key }) => key)), updatedAtMs, isNew };
    });
}

/** The most telling words of a fact are the answer, and the others ask for it. */
function factQuestion(
  { text, terms }: Fact,
  counts: ReadonlyMap<string, number>,
): ExamQuestion | undefined {
  const ranked = terms.toSorted(
    (one, other) =>
      other.weight - one.weight || (counts.get(one.key) ?? 0) - (counts.get(other.key) ?? 0),
  );
  const size = Math.min(MAX_ANSWER_TERMS, Math.ceil(terms.length / 2));
  const telling = ranked.slice(0, size);
  const answer = telling.map(({ key }) => key);
  const question = ranked.slice(size).map(({ key }) => key);
  if (answer.length === 0) return undefined;
  const neededShare = telling.some(({ weight }) => weight === 2) ? CODE_SHARE : PLAIN_SHARE;
  return { text, question, answer, neededShare };
}

const CHANGES =
  /\b(?:no longer|instead|any ?more|rather than|replace[sd]?|switch(?:ed|es)?|stop(?:ped)? using|moved? (?:away )?from|now)\b/i;
const REPLACED_SHARE = 0.6;

/** Whether a newer fact is about the same thing and says something else. */
function replaces(newer: Fact, older: Fact, { question, answer }: ExamQuestion): boolean {
  if (newer.updatedAtMs <= older.updatedAtMs || newer.text === older.text) return false;
  const hasAnswer = answer.some((key) => newer.keys.has(key));
  const shared = question.filter((key) => newer.keys.has(key)).length;
  if (CHANGES.test(newer.text) && (hasAnswer || shared > 0)) return true;
  const isSameSubject = shared >= 2 && shared >= question.length * REPLACED_SHARE;
  return isSameSubject && !answer.every((key) => newer.keys.has(key));
}

/** The part before the first question mark asks; the rest is the answer. */
function expectedQuestions(lines: readonly string[]): readonly ExamQuestion[] {
  return lines.slice(0, MAX_EXPECTED).flatMap((text) => {
    const end = text.search(/[?？]/);
    const [question = [], answer = []] = [text.slice(0, end), text.slice(end + 1)].map((part) =>
      termsOf(part).map(({ key }) => key),
    );
    if (end === -1 || answer.length === 0) return [];
    return [{ text, question, answer, neededShare: 1 }];
  });
}
