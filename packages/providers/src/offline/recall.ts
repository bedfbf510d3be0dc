import type { PromptFacts, Step } from "./prompt-facts.ts";
import { type JudgedTopic, searchMemory } from "./find-topics.ts";
import { findLearnedLines } from "./learned-lines.ts";
import { answerFromPassages } from "./past-sessions.ts";
import { type Move, say } from "./move.ts";
import { coverage, type WordForms } from "./search-words.ts";
import { readTopic } from "./tool-answers.ts";
import { INTRODUCTION, NO_MEMORY, NOTHING_FOUND, refusedBy } from "./wording.ts";

/** What is looked for, and how much of it a note must hold to be an answer. */
export interface RecallInput {
  readonly words: string;
  readonly leastShare: number;
  readonly mostTopics: number;
}

/** Answers from memory, with the name and the age of the note, or says that there is nothing. */
export function recallMove(input: RecallInput, facts: PromptFacts): Move {
  const { steps, tools } = facts;
  if (!tools.has("MemorySearch")) return say(NO_MEMORY);
  const { leastShare } = input;
  const search = searchMemory({ words: withoutTime(input.words), steps, leastShare });
  if (search.kind === "next") return search.move;
  if (search.kind === "refused") return say(refusedBy("I could not look that up.", search.text));
  if (search.forms.length === 0) return say(INTRODUCTION);
  const good = search.topics.filter(({ share }) => share >= leastShare).slice(0, input.mostTopics);
  if (good.length === 0) {
    const learned = learnedAnswer(input, facts, search.forms);
    const said = answerFromPassages(search.passages.filter(({ share }) => share >= leastShare));
    return say(learned ?? said ?? NOTHING_FOUND);
  }
  const reads = steps.filter(({ name }) => name === "ReadMemoryTopic");
  if (reads.length === 0 && tools.has("ReadMemoryTopic")) {
    const calls = good.map(({ slug }) => ({ name: "ReadMemoryTopic", input: { name: slug } }));
    return { kind: "call", calls };
  }
  return say(good.map((topic) => answerFrom(topic, reads, search.forms)).join("\n\n"));
}

/** When something was said is no word of it. */
function withoutTime(words: string): string {
  return words.replaceAll(WHEN, " ");
}

const WHEN =
  /\b(?:last (?:week|month|year|time|session)|yesterday|the other day|earlier|recently|(?:a|an|one|two|three|\d+) (?:day|week|month)s? ago)\b/gi;

/** Notes come first: what was learned from past sessions nobody asked to be kept. */
function learnedAnswer(
  { leastShare, mostTopics }: RecallInput,
  { system }: PromptFacts,
  forms: readonly WordForms[],
): string | undefined {
  const lines = findLearnedLines({ system, forms, leastShare, mostLines: mostTopics });
  return lines.length === 0 ? undefined : `${lines.join("\n")}\n\n(from memory: memory://root)`;
}

/** A note that cannot be read whole is told by what the search showed of it. */
function answerFrom(
  topic: JudgedTopic,
  reads: readonly Step[],
  forms: readonly WordForms[],
): string {
  const read = reads
    .filter(({ isError }) => !isError)
    .map(({ text }) => readTopic(text))
    .find((found) => found?.slug === topic.slug);
  const fact = tellingPart(read?.body ?? topic.snippet, forms);
  return `${fact || topic.description}\n\n(from memory: ${topic.slug}, ${topic.age})`;
}

const MOST_CHARACTERS = 800;
const MOST_LINES = 6;

/** A short note whole; of a long one the lines that hold most of the words, in their order. */
function tellingPart(body: string, forms: readonly WordForms[]): string {
  if (body.length <= MOST_CHARACTERS) return body;
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  const best = lines
    .map((line, place) => ({ line, place, share: coverage(forms, line) }))
    .toSorted((one, other) => other.share - one.share)
    .filter(({ share }, rank) => share > 0 || rank === 0)
    .slice(0, MOST_LINES)
    .toSorted((one, other) => one.place - other.place);
  const text = best.map(({ line }) => line).join("\n");
  return Array.from(text).slice(0, MOST_CHARACTERS).join("");
}
