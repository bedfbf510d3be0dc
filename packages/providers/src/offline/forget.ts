import { command, type CommandMessage, withCommands } from "@caliban/common";
import { NO_MEMORY, refusedBy } from "./messages.ts";
import { searchMemory, type TopicMatch, type TopicScope, USER_SCOPE } from "./search.ts";
import { call, type Move, say, type Step, type Turn } from "./turn.ts";

const TOOLS = ["MemorySearch", "ReadMemoryTopic", "DeleteMemoryTopic"] as const;
const MIN_SHARE = 0.5;
const ONE_AT_A_TIME = withCommands`I forget one topic at a time. Which one? To see them all, run \`${command("memory list")}\`.`;
const WHICH_ONE = "Which of these should I forget? Answer with its number or its name, or no.";
const CLEARLY_BETTER = 1.5;
const MAX_CHOICES = 5;

/** Finds the topic and deletes it; asks which one where it is not clear. */
export function forget(about: string, { steps, tools }: Turn): Move {
  if (!TOOLS.every((name) => tools.has(name))) return say(NO_MEMORY);
  if (/^(?:everything|all(?: of (?:it|them))?|it all)$/i.test(about)) return say(ONE_AT_A_TIME);
  const search = searchMemory({ words: about, steps, minShare: MIN_SHARE });
  if ("kind" in search) return search;
  if (search.forms.length === 0) return say("What should I forget? Say what it is about.");
  if (search.topics.length === 0) return say("There is nothing about that in memory.");
  const match = clearMatch(search.topics, about);
  return match === undefined ? askWhich(search.topics) : forgetTopic(match, steps);
}

function clearMatch(topics: readonly TopicMatch[], about: string): TopicMatch | undefined {
  const named = topics.find(({ slug }) => slug.toLowerCase() === about.toLowerCase());
  if (named !== undefined) return named;
  const [best, next] = topics;
  if (best === undefined || best.share < MIN_SHARE) return undefined;
  const isAlone = next === undefined || next.share < best.share;
  return isAlone || best.score >= next.score * CLEARLY_BETTER ? best : undefined;
}

/** A topic to forget. */
interface NamedTopic {
  readonly slug: string;
  readonly scope: TopicScope;
  readonly description?: string | undefined;
}

function askWhich(topics: readonly NamedTopic[]): Move {
  const choices = topics.slice(0, MAX_CHOICES);
  const lines = choices.map(({ slug, scope, description }, index) =>
    [`${index + 1}. ${slug}${scope.scope === "user" ? " (every project)" : ""}`, description ?? []]
      .flat()
      .join(": "),
  );
  return {
    kind: "say",
    text: `${WHICH_ONE}\n\n${lines.join("\n")}`,
    choices: choices.map(({ slug, scope }) => (scope.scope === "user" ? `${USER}${slug}` : slug)),
  };
}

/** Reads the topic first, because only a topic that was read can be deleted. */
function forgetTopic(topic: NamedTopic, steps: readonly Step[]): Move {
  const { slug, scope } = topic;
  const deleted = steps.findLast(({ name }) => name === "DeleteMemoryTopic");
  if (deleted !== undefined) return say(afterDeletion(topic, deleted));
  const read = steps.findLast(({ name }) => name === "ReadMemoryTopic");
  if (read === undefined) return call("ReadMemoryTopic", { name: slug, ...scope });
  const { hash } = read.data;
  if (read.isError || typeof hash !== "string") {
    return say(refusedBy(`I did not forget ${slug}.`, read.text));
  }
  return call("DeleteMemoryTopic", { name: slug, ...scope, if_match: hash });
}

function afterDeletion(
  { slug, scope }: NamedTopic,
  { text, isError, data }: Step,
): string | CommandMessage {
  if (isError) return refusedBy(`I did not forget ${slug}.`, text);
  const { change } = data;
  const flag = scope.scope === "user" ? " --user" : "";
  const id = typeof change === "string" ? ` ${change}` : "";
  const undo = command(`memory undo${id}${flag}`);
  return withCommands`Forgotten: ${slug}.\n\n(undo with \`${undo}\`)`;
}

/** Precedes the name of a topic about the user in the choices of an answer. No name contains a slash. */
const USER = "user/";

function readChoice(choice: string): NamedTopic {
  return choice.startsWith(USER)
    ? { slug: choice.slice(USER.length), scope: USER_SCOPE }
    : { slug: choice, scope: {} };
}

const NO = /^(?:no|nope|none|nothing|neither|cancel|never ?mind|stop|keep)\b/;
const YES = /^(?:y|yes|yep|yeah|ok|okay|sure|right|do it|please|both|all|every|each)\b/;
const NUMBER = /^(?:the |number |no\. ?|#)*(\d)(?:[.)!]|st|nd|rd|th| one)*$/;
const ORDINAL = /^(?:the )?(first|second|third|fourth|fifth|last)(?: one)?[.!]*$/;
const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

/** Acts on the answer to our own question; `undefined` when there was no question, or the message does not answer it. */
export function forgetChosen(answer: string, turn: Turn): Move | undefined {
  const { steps } = turn;
  const choices = turn.choices.map(readChoice);
  if (choices.length === 0) return undefined;
  const text = answer.normalize("NFKC").trim().toLowerCase();
  if (NO.test(text)) return say("OK, I deleted nothing.");
  const named = choices.find(({ slug }) => text.replace(/[.!?]+$/, "") === slug.toLowerCase());
  const isYes = YES.test(text);
  const chosen = named ?? choices[isYes && choices.length === 1 ? 0 : positionIn(text, choices)];
  if (chosen !== undefined) return forgetTopic(chosen, steps);
  return isYes ? askWhich(choices) : undefined;
}

/** The position that a number or an ordinal refers to; -1 for any other text. */
function positionIn(text: string, choices: readonly unknown[]): number {
  const number = NUMBER.exec(text)?.[1];
  if (number !== undefined) return Number(number) - 1;
  const ordinal = ORDINAL.exec(text)?.[1];
  return ordinal === "last" ? choices.length - 1 : ORDINALS.indexOf(ordinal ?? "");
}
