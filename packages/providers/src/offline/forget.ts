import { command, type CommandMessage, withCommands } from "@caliban/common";
import {
  FORGOTTEN,
  NO_MEMORY,
  NO_SUCH_TOPIC,
  NOT_FORGOTTEN,
  NOT_SEARCHED,
  NOTHING_DELETED,
  ONE_AT_A_TIME,
  refusedBy,
  WHAT_TO_FORGET,
  WHICH_ONE,
} from "./messages.ts";
import { searchMemory, type TopicMatch } from "./search.ts";
import { call, type Move, say, type Step, type Turn } from "./turn.ts";

const TOOLS = ["MemorySearch", "ReadMemoryTopic", "DeleteMemoryTopic"] as const;
const MIN_SHARE = 0.5;
const CLEARLY_BETTER = 1.5;
const MAX_CHOICES = 5;

/** Finds the topic and deletes it; asks which one where it is not clear. */
export function forget(about: string, { steps, tools }: Turn): Move {
  if (!TOOLS.every((name) => tools.has(name))) return say(NO_MEMORY);
  if (/^(?:everything|all(?: of (?:it|them))?|it all)$/i.test(about)) return say(ONE_AT_A_TIME);
  const search = searchMemory({ words: about, steps, minShare: MIN_SHARE });
  if (search.kind === "next") return search.move;
  if (search.kind === "refused") return say(refusedBy(NOT_SEARCHED, search.text));
  if (search.forms.length === 0) return say(WHAT_TO_FORGET);
  if (search.topics.length === 0) return say(NO_SUCH_TOPIC);
  const match = clearMatch(search.topics, about);
  return match === undefined ? askWhich(search.topics) : forgetTopic(match.slug, steps);
}

function clearMatch(topics: readonly TopicMatch[], about: string): TopicMatch | undefined {
  const named = topics.find(({ slug }) => slug.toLowerCase() === about.toLowerCase());
  if (named !== undefined) return named;
  const [best, next] = topics;
  if (best === undefined || best.share < MIN_SHARE) return undefined;
  const isAlone = next === undefined || next.share < best.share;
  return isAlone || best.score >= next.score * CLEARLY_BETTER ? best : undefined;
}

function askWhich(topics: readonly TopicMatch[]): Move {
  const choices = topics.slice(0, MAX_CHOICES);
  const lines = choices.map(
    ({ slug, description }, index) => `${index + 1}. ${slug}: ${description}`,
  );
  return {
    kind: "say",
    text: `${WHICH_ONE}\n\n${lines.join("\n")}`,
    choices: choices.map(({ slug }) => slug),
  };
}

/** Reads the topic first, because only a topic that was read can be deleted. */
function forgetTopic(slug: string, steps: readonly Step[]): Move {
  const deleted = steps.findLast(({ name }) => name === "DeleteMemoryTopic");
  if (deleted !== undefined) return say(afterDeletion(slug, deleted));
  const read = steps.findLast(({ name }) => name === "ReadMemoryTopic");
  if (read === undefined) return call("ReadMemoryTopic", { name: slug });
  const { hash } = read.data;
  if (read.isError || typeof hash !== "string") {
    return say(refusedBy(`${NOT_FORGOTTEN}${slug}.`, read.text));
  }
  return call("DeleteMemoryTopic", { name: slug, if_match: hash });
}

function afterDeletion(slug: string, { text, isError, data }: Step): string | CommandMessage {
  if (isError) return refusedBy(`${NOT_FORGOTTEN}${slug}.`, text);
  const { change } = data;
  const undo = command(typeof change === "string" ? `memory undo ${change}` : "memory undo");
  return withCommands`${FORGOTTEN}${slug}.\n\n(undo with \`${undo}\`)`;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth"] as const;
const NO = /^(?:no|nope|none|nothing|neither|cancel|never ?mind|stop|keep)\b/;
const YES = /^(?:y|yes|yep|yeah|ok|okay|sure|right|do it|please)\b/;
const SEVERAL = /^(?:both|all|every|each)\b/;

/** Acts on the answer to our own question; `undefined` when there was no question, or the message does not answer it. */
export function forgetChosen(answer: string, { choices, steps }: Turn): Move | undefined {
  if (choices.length === 0) return undefined;
  const text = answer.normalize("NFKC").trim().toLowerCase();
  if (NO.test(text)) return say(NOTHING_DELETED);
  const named = choices.find((slug) => text.replace(/[.!?]+$/, "") === slug.toLowerCase());
  const chosen = named ?? choices[positionIn(text, choices.length)];
  if (chosen !== undefined) return forgetTopic(chosen, steps);
  const [only] = choices;
  if (YES.test(text) && choices.length === 1 && only !== undefined) return forgetTopic(only, steps);
  return YES.test(text) || SEVERAL.test(text) ? askAgain(choices) : undefined;
}

function askAgain(choices: readonly string[]): Move {
  const lines = choices.map((slug, index) => `${index + 1}. ${slug}`);
  return { kind: "say", text: `${WHICH_ONE}\n\n${lines.join("\n")}`, choices };
}

/** The position that a number or an ordinal refers to; -1 for any other text. */
function positionIn(text: string, count: number): number {
  const [, number] = /^(?:the |number |no\. ?|#)*(\d)(?:[.)!]|st|nd|rd|th| one)*$/.exec(text) ?? [];
  if (number !== undefined) return Number(number) - 1;
  const [, ordinal] =
    /^(?:the )?(first|second|third|fourth|fifth|last)(?: one)?[.!]*$/.exec(text) ?? [];
  return ordinal === "last" ? count - 1 : ORDINALS.findIndex((word) => word === ordinal);
}
