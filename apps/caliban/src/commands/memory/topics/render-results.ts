import { type SpellCommand, terminalSafeLine } from "@caliban/common";
import {
  formatDayAndAge,
  type FoundMemory,
  type FoundPassage,
  type FoundScorePart,
  type FoundTopic,
  type MarkedText,
  withMarks,
} from "@caliban/memory/search";

export interface ResultStyle {
  readonly nowMs: number;
  readonly heading: (text: string) => string;
  /** Whether matches are bold; otherwise they are between asterisks. */
  readonly hasBold: boolean;
  readonly command: SpellCommand;
}

/** Renders search results as two lists. An empty list is left out. */
export function renderResults({ topics, sessions }: FoundMemory, style: ResultStyle): string {
  const lists = [
    [style.heading("Topics"), ...topics.flatMap((topic) => topicLines(topic, style))],
    [
      style.heading("Past sessions"),
      ...sessions.flatMap((passage) => passageLines(passage, style)),
    ],
  ];
  return lists
    .filter((lines) => lines.length > 1)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function topicLines(topic: FoundTopic, style: ResultStyle): readonly string[] {
  const { kind, name, type, address, updatedMs, score, description, snippet } = topic;
  const { supersededBy, evidence = "ok" } = topic;
  const label = kind === "topic" ? (type ?? "untyped") : `learned ${kind}`;
  const scope = address.startsWith("memory://user/") ? ["every project"] : [];
  const shared = topic.author === undefined ? [] : [`shared by ${topic.author}`];
  const facts = [
    label,
    ...scope,
    ...shared,
    formatDayAndAge(updatedMs, style.nowMs),
    `score ${score.toFixed(2)}`,
    ...(supersededBy === undefined ? [] : [`superseded by ${supersededBy}`]),
    ...(evidence === "ok" ? [] : [`evidence ${evidence}`]),
  ];
  const about = description === "" ? "" : `: ${description}`;
  return [
    `  ${terminalSafeLine(`${name} (${facts.join(", ")})${about}`)}`,
    ...(snippet.text === "" ? [] : [`    ${markMatches(snippet, style)}`]),
    ...(kind === "topic"
      ? []
      : [`    ${style.command(`memory read ${terminalSafeLine(address)}`)}`]),
    ...whyLines(topic),
  ];
}

function passageLines(passage: FoundPassage, style: ResultStyle): readonly string[] {
  const { session, agent, title, updatedMs, turns, score } = passage;
  const facts = [
    ...(agent === "caliban" ? [] : [agent]),
    formatDayAndAge(updatedMs, style.nowMs),
    `score ${score.toFixed(2)}`,
  ];
  return [
    `  ${terminalSafeLine(`${session} (${facts.join(", ")}): ${title}`)}`,
    ...turns.map(
      ({ role, text, isHit }) => `    ${isHit ? ">" : " "} ${role}: ${markMatches(text, style)}`,
    ),
    ...whyLines(passage),
  ];
}

/** `score: "deploy" 1.20 (name, text) + newer than a similar hit 0.10` */
function whyLines({ why }: Pick<FoundTopic, "why">): readonly string[] {
  if (why === undefined) return [];
  const parts = why.map((part) => `${formatPart(part)} ${part.score.toFixed(2)}${inFields(part)}`);
  return [`    ${terminalSafeLine(`score: ${parts.join(" + ")}`)}`];
}

const PARTS: Readonly<Record<Exclude<FoundScorePart["part"], "term">, string>> = {
  neighbors: "turns around it",
  session: "the rest of the session",
  vector: "similar meaning",
  time: "newer than a similar hit",
  supersedes: "supersedes another hit",
};

function formatPart({ part, term = "" }: FoundScorePart): string {
  return part === "term" ? JSON.stringify(term) : PARTS[part];
}

function inFields({ fields = [] }: FoundScorePart): string {
  return fields.length === 0 ? "" : ` (${fields.join(", ")})`;
}

const BOLD = { before: "\u001B[1m", after: "\u001B[22m" };
const ASTERISKS = { before: "**", after: "**" };

function markMatches(text: MarkedText, { hasBold }: ResultStyle): string {
  return withMarks(text, { ...(hasBold ? BOLD : ASTERISKS), escape: terminalSafeLine });
}
