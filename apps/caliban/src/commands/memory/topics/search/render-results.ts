import { terminalSafeLine } from "@caliban/common";
import {
  formatDayAndAge,
  type FoundMemory,
  type FoundPassage,
  type FoundTopic,
  type MarkedText,
} from "@caliban/memory/search";

export interface FoundLook {
  readonly nowMs: number;
  /** Whether words that match are bold; else they stand between stars. */
  readonly isBold: boolean;
}

/** What was found, for a person: two lists, of which one that is empty is left out. */
export function renderFound({ topics, sessions }: FoundMemory, look: FoundLook): string {
  const lists = [
    ...(topics.length === 0 ? [] : [["Topics", ...topics.flatMap((each) => ofTopic(each, look))]]),
    ...(sessions.length === 0
      ? []
      : [["Past sessions", ...sessions.flatMap((each) => ofPassage(each, look))]]),
  ];
  return lists.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function ofTopic(topic: FoundTopic, look: FoundLook): readonly string[] {
  const { kind, name, type, address, updatedMs, score, description, snippet } = topic;
  const what = kind === "topic" ? (type ?? "untyped") : `learned ${kind}`;
  const facts = [what, formatDayAndAge(updatedMs, look.nowMs), `score ${score.toFixed(2)}`];
  const about = description === "" ? "" : `: ${description}`;
  return [
    `  ${terminalSafeLine(`${name} (${facts.join(", ")})${about}`)}`,
    ...(snippet.text === "" ? [] : [`    ${marked(snippet, look)}`]),
    ...(kind === "topic" ? [] : [`    caliban memory read ${terminalSafeLine(address)}`]),
  ];
}

function ofPassage(passage: FoundPassage, look: FoundLook): readonly string[] {
  const { session, agent, title, updatedMs, turns, score } = passage;
  const whose = agent === "caliban" ? [] : [agent];
  const facts = [...whose, formatDayAndAge(updatedMs, look.nowMs), `score ${score.toFixed(2)}`];
  return [
    `  ${terminalSafeLine(`${session} (${facts.join(", ")}): ${title}`)}`,
    ...turns.map(
      ({ role, text, isHit }) => `    ${isHit ? ">" : " "} ${role}: ${marked(text, look)}`,
    ),
  ];
}

const BOLD = ["\u001B[1m", "\u001B[22m"] as const;
const STARS = ["**", "**"] as const;

/** Each piece is made harmless for itself: what is made visible in a text moves what stands behind it. */
function marked({ text, marks }: MarkedText, { isBold }: FoundLook): string {
  const [before, after] = isBold ? BOLD : STARS;
  let end = 0;
  let line = "";
  for (const [start, stop] of marks) {
    const between = terminalSafeLine(text.slice(end, start));
    line += `${between}${before}${terminalSafeLine(text.slice(start, stop))}${after}`;
    end = stop;
  }
  return line + terminalSafeLine(text.slice(end));
}
