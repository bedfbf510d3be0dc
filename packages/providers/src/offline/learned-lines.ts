import { coverage, type WordForms } from "./search-words.ts";

const SUMMARY =
  /<memory-guidance path="memory:\/\/root">\n[^]*?<memory-summary>\n([^]*?)\n<\/memory-summary>/;
const BULLET = /^\s*[-*+]\s+/;
/** Where a line comes from, which is no answer. */
const EVIDENCE = /\s\(session [^()]*\)$/;

/** What is looked for, and how much of it a line must hold. */
export interface LearnedInput {
  readonly system: string;
  readonly forms: readonly WordForms[];
  readonly leastShare: number;
  readonly mostLines: number;
}

/** The lines of what was learned from past sessions that hold most of the words, the best first. */
export function findLearnedLines(input: LearnedInput): readonly string[] {
  const summary = SUMMARY.exec(input.system)?.[1] ?? "";
  return summary
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.replace(BULLET, "").trim().replace(EVIDENCE, ""))
    .map((line) => ({ line, share: coverage(input.forms, line) }))
    .filter(({ share }) => share > 0 && share >= input.leastShare)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, input.mostLines)
    .map(({ line }) => line);
}
