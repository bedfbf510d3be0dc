import { withCommands } from "@caliban/common";
import { type Question, readIntent } from "./intent.ts";
import { HOW_TO_CONNECT, INTRODUCTION, isOwnAnswer, NO_MEMORY } from "./messages.ts";
import { type PassageMatch, type PassageTurn, searchMemory, type TopicMatch } from "./search.ts";
import { type Move, say, type Step, type Turn } from "./turn.ts";
import { coverage, type WordForms } from "./words.ts";

/** A specific question takes one topic that contains half of its words, a broad one up to three with a third. */
const SPECIFIC = { minShare: 0.5, maxTopics: 1 };
const BROAD = { minShare: 0.34, maxTopics: 3 };

/** Answers from memory, with the name and age of each topic, or says that nothing was found. */
export function ask({ about, isBroad }: Question, turn: Turn): Move {
  const { steps, tools } = turn;
  if (!tools.has("MemorySearch")) return say(NO_MEMORY);
  const { minShare, maxTopics } = isBroad ? BROAD : SPECIFIC;
  const search = searchMemory({ words: withoutTime(about), steps, minShare });
  if ("kind" in search) return search;
  const { forms } = search;
  if (forms.length === 0) return say(INTRODUCTION);
  const isGood = ({ share }: { readonly share: number }): boolean => share >= minShare;
  const topics = search.topics.filter(isGood).slice(0, maxTopics);
  if (topics.length === 0) {
    const learned = rateLines(learnedLines(turn.system), forms).filter(isGood).slice(0, maxTopics);
    const passages = search.passages.filter(isGood);
    return say(answerFromLearned(learned) ?? answerFromPassages(passages) ?? NOTHING_FOUND);
  }
  const reads = steps.filter(({ name }) => name === "ReadMemoryTopic");
  if (reads.length === 0 && tools.has("ReadMemoryTopic")) {
    const calls = topics.map(({ slug, scope }) => ({
      name: "ReadMemoryTopic",
      input: { name: slug, ...scope },
    }));
    return { kind: "call", calls };
  }
  return say(topics.map((topic) => answerFromTopic(topic, reads, forms)).join("\n\n"));
}

const NOTHING_FOUND = withCommands`I found nothing in memory that answers this, and without a language model I know nothing else. ${HOW_TO_CONNECT}`;

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
  const read = reads.find(
    ({ isError, data, input }) =>
      !isError && data["slug"] === topic.slug && input["scope"] === topic.scope.scope,
  );
  const body = read?.data["body"];
  const fact = relevantPart(typeof body === "string" ? body.trim() : topic.snippet, forms);
  const memory = topic.scope.scope === "user" ? "your memory for every project" : "memory";
  return `${fact || topic.description}\n\n(from ${memory}: ${topic.slug}, ${topic.age})`;
}

const MAX_CHARACTERS = 800;
const MAX_LINES = 6;

/** A short body in full; of a long one, the lines that contain most of the words, in their order. */
function relevantPart(body: string, forms: readonly WordForms[]): string {
  if (body.length <= MAX_CHARACTERS) return body;
  const rated = rateLines(body.split("\n"), forms).slice(0, MAX_LINES);
  const best = rated.toSorted((one, other) => one.position - other.position);
  const text = best.map(({ line }) => line).join("\n");
  return Array.from(text).slice(0, MAX_CHARACTERS).join("");
}

interface RatedLine {
  readonly line: string;
  readonly position: number;
  readonly share: number;
}

/** The lines that contain any of the words, best first. */
function rateLines(lines: readonly string[], forms: readonly WordForms[]): readonly RatedLine[] {
  return lines
    .map((line, position) => ({ line, position, share: coverage(forms, line) }))
    .filter(({ share }) => share > 0)
    .toSorted((one, other) => other.share - one.share);
}

const LEARNED_SUMMARY =
  /<memory-guidance path="memory:\/\/root">\n[^]*?<memory-summary>\n([^]*?)\n<\/memory-summary>/;
const BULLET = /^\s*[-*+]\s+/;
/** The origin of a learned line, which is not part of the answer. */
const EVIDENCE = /\s\(session [^()]*\)$/;

/** The lines of learned memory in the prompt. */
function learnedLines(system: string): readonly string[] {
  const summary = LEARNED_SUMMARY.exec(system)?.[1] ?? "";
  return summary
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.replace(BULLET, "").trim().replace(EVIDENCE, ""));
}

function answerFromLearned(lines: readonly RatedLine[]): string | undefined {
  if (lines.length === 0) return undefined;
  return `${lines.map(({ line }) => line).join("\n")}\n\n(from memory: memory://root)`;
}

/** Quotes a past session; `undefined` where only questions and requests were found. */
function answerFromPassages(passages: readonly PassageMatch[]): string | undefined {
  for (const { session, day, age, turns } of passages) {
    const statement = findStatement(turns);
    if (statement === undefined) continue;
    const speaker = statement.role === "user" ? "you" : "the agent";
    return `${statement.text}\n\n(said by ${speaker} in session ${session}, ${day}, ${age})`;
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
