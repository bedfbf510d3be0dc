import type { ExamResult } from "../generation/exam-result.ts";
import type { ExamQuestion } from "./questions.ts";
import { keysOf } from "./terms.ts";

/**
 * Asks two memories the same questions, by words and without a model. A memory answers a question if one of the passages
 * that match it best has the answer. Time and size are limited, and the result depends on nothing else.
 */
export function takeExam(
  questions: readonly ExamQuestion[],
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): ExamResult {
  const [old, candidate] = [indexPassages(before), indexPassages(after)];
  const answers = questions.map((question) => ({
    text: question.text,
    wasFound: isAnswered(question, old),
    isFound: isAnswered(question, candidate),
  }));
  return {
    asked: questions.length,
    foundBefore: answers.filter(({ wasFound }) => wasFound).length,
    foundAfter: answers.filter(({ isFound }) => isFound).length,
    lost: answers.filter(({ wasFound, isFound }) => wasFound && !isFound).map(({ text }) => text),
  };
}

/** Whether a candidate answers fewer questions, so that it must not replace the memory. */
export function isWorse({ foundBefore, foundAfter }: ExamResult): boolean {
  return foundAfter < foundBefore;
}

interface PassageIndex {
  readonly passages: readonly ReadonlySet<string>[];
  /** In how many passages a key occurs. */
  readonly counts: ReadonlyMap<string, number>;
}

const MAX_TEXT_CHARACTERS = 512 * 1024;
const MAX_PASSAGES = 5_000;
const MAX_PASSAGES_READ = 8;

function indexPassages(texts: readonly string[]): PassageIndex {
  const passages = texts
    .flatMap((text) => passagesIn(text.slice(0, MAX_TEXT_CHARACTERS)))
    .slice(0, MAX_PASSAGES)
    .map(keysOf);
  const counts = new Map<string, number>();
  for (const keys of passages) {
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { passages, counts };
}

/** Each paragraph or list item with its neighbors and the headings above: a fact may be spread over some lines. */
function passagesIn(text: string): readonly string[] {
  const passages: string[] = [];
  let section: string[] = [];
  let heading = "";
  const endSection = (): void => {
    for (const index of section.keys()) {
      const around = section.slice(Math.max(0, index - 1), index + 2);
      passages.push([heading, ...around].join("\n"));
    }
    section = [];
  };
  for (const line of text.split("\n")) {
    if (/^#{1,6} /.test(line)) {
      endSection();
      heading = line;
    } else if (line.trim() !== "") section.push(line);
  }
  endSection();
  return passages;
}

function isAnswered(
  { question, answer, neededShare }: ExamQuestion,
  { passages, counts }: PassageIndex,
): boolean {
  const weightOf = (key: string): number => Math.log(1 + passages.length / (counts.get(key) ?? 1));
  const weights = question.map((key) => ({ key, weight: weightOf(key) }));
  const ranked = passages
    .map((keys) => {
      const score = weights.reduce((sum, { key, weight }) => sum + (keys.has(key) ? weight : 0), 0);
      return { keys, score };
    })
    .filter(({ score }) => score > 0 || question.length === 0);
  const best =
    question.length === 0
      ? ranked
      : ranked.toSorted((a, b) => b.score - a.score).slice(0, MAX_PASSAGES_READ);
  return best.some(({ keys }) => {
    const found = answer.filter((key) => keys.has(key)).length;
    return found >= answer.length * neededShare;
  });
}
