import { readIntent } from "./intent.ts";
import {
  FROM_MEMORY,
  INTRODUCTION,
  isOwnAnswer,
  NO_MEMORY,
  NOT_SEARCHED,
  NOTHING_FOUND,
  refusedBy,
  SAID_BY_AGENT,
  SAID_BY_USER,
} from "./messages.ts";
import { type PassageMatch, type PassageTurn, searchMemory, type TopicMatch } from "./search.ts";
import { type Move, say, type Step, type Turn } from "./turn.ts";
import { coverage, type WordForms } from "./words.ts";

/** A specific question takes one topic that contains half of its words, a broad one up to three with a third. */
const SPECIFIC = { minShare: 0.5, maxTopics: 1 };
const BROAD = { minShare: 0.34, maxTopics: 3 };

/** Answers from memory, with the name and age of each topic, or says that nothing was found. */
export function ask(about: string, isBroad: boolean, turn: Turn): Move {
  const { steps, tools } = turn;
  if (!tools.has("MemorySearch")) return say(NO_MEMORY);
  const { minShare, maxTopics } = isBroad ? BROAD : SPECIFIC;
  const search = searchMemory({ words: withoutTime(about), steps, minShare });
  if (search.kind === "next") return search.move;
  if (search.kind === "refused") return say(refusedBy(NOT_SEARCHED, search.text));
  const { forms } = search;
  if (forms.length === 0) return say(INTRODUCTION);
  const topics = search.topics.filter(({ share }) => share >= minShare).slice(0, maxTopics);
  if (topics.length === 0) {
    const passages = search.passages.filter(({ share }) => share >= minShare);
    const learned = learnedLines(turn.system, { forms, minShare, maxLines: maxTopics });
    return say(answerFromLearned(learned) ?? answerFromPassages(passages) ?? NOTHING_FOUND);
  }
  const reads = steps.filter(({ name }) => name === "ReadMemoryTopic");
  if (reads.length === 0 && tools.has("ReadMemoryTopic")) {
    const calls = topics.map(({ slug }) => ({ name: "ReadMemoryTopic", input: { name: slug } }));
    return { kind: "call", calls };
  }
  return say(topics.map((topic) => answerFromTopic(topic, reads, forms)).join("\n\n"));
}

/** When something was said is not part of what was said. */
function withoutTime(words: string): string {
  return words.replaceAll(WHEN, " ");
}

const WHEN =
  /\b(?:last (?:week|month|year|time|session)|yesterday|the other day|earlier|recently|(?:a|an|one|two|three|\d+) (?:day|week|month)s? ago)\b/gi;

/** A topic that could not be read is quoted from the search result. */
function answerFromTopic(
  topic: TopicMatch,
  reads: readonly Step[],
  forms: readonly WordForms[],
): string {
  const read = reads.find(({ isError, data }) => !isError && data["slug"] === topic.slug);
  const body = read?.data["body"];
  const fact = relevantPart(typeof body === "string" ? body.trim() : topic.snippet, forms);
  return `${fact || topic.description}\n\n${FROM_MEMORY}${topic.slug}, ${topic.age})`;
}

const MAX_CHARACTERS = 800;
const MAX_LINES = 6;

/** A short body in full; of a long one, the lines that contain most of the words, in their order. */
function relevantPart(body: string, forms: readonly WordForms[]): string {
  if (body.length <= MAX_CHARACTERS) return body;
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  const best = lines
    .map((line, position) => ({ line, position, share: coverage(forms, line) }))
    .toSorted((one, other) => other.share - one.share)
    .filter(({ share }, rank) => share > 0 || rank === 0)
    .slice(0, MAX_LINES)
    .toSorted((one, other) => one.position - other.position);
  const text = best.map(({ line }) => line).join("\n");
  return Array.from(text).slice(0, MAX_CHARACTERS).join("");
}

const LEARNED_SUMMARY =
  /<memory-guidance path="memory:\/\/root">\n[^]*?<memory-summary>\n([^]*?)\n<\/memory-summary>/;
const BULLET = /^\s*[-*+]\s+/;
/** The origin of a learned line, which is not part of the answer. */
const EVIDENCE = /\s\(session [^()]*\)$/;

interface LearnedInput {
  readonly forms: readonly WordForms[];
  readonly minShare: number;
  readonly maxLines: number;
}

/** The lines of learned memory in the prompt that contain most of the words, best first. */
function learnedLines(system: string, input: LearnedInput): readonly string[] {
  const summary = LEARNED_SUMMARY.exec(system)?.[1] ?? "";
  return summary
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.replace(BULLET, "").trim().replace(EVIDENCE, ""))
    .map((line) => ({ line, share: coverage(input.forms, line) }))
    .filter(({ share }) => share > 0 && share >= input.minShare)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, input.maxLines)
    .map(({ line }) => line);
}

function answerFromLearned(lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : `${lines.join("\n")}\n\n${FROM_MEMORY}memory://root)`;
}

/** Quotes a past session; `undefined` where only questions and requests were found. */
function answerFromPassages(passages: readonly PassageMatch[]): string | undefined {
  for (const { session, day, age, turns } of passages) {
    const statement = findStatement(turns);
    if (statement === undefined) continue;
    const source = statement.role === "user" ? SAID_BY_USER : SAID_BY_AGENT;
    return `${statement.text}\n\n${source}${session}, ${day}, ${age})`;
  }
  return undefined;
}

/** A turn that matches, or the answer to a question that does. */
function findStatement(turns: readonly PassageTurn[]): PassageTurn | undefined {
  return turns.find((turn, position) => {
    const previous = turns[position - 1];
    const isAnswer = previous?.isHit === true && asks(previous) && turn.role === "assistant";
    return (turn.isHit || isAnswer) && states(turn);
  });
}

function asks({ role, text }: PassageTurn): boolean {
  return role === "user" && readIntent(text).kind === "ask";
}

/** Requests concern topics, and the offline model's own answers only repeat them. */
function states({ role, text }: PassageTurn): boolean {
  return role === "user" ? readIntent(text).kind === "other" : !isOwnAnswer(text);
}
