import type { PromptFacts, Step } from "./prompt-facts.ts";
import { type JudgedTopic, searchMemory } from "./find-topics.ts";
import { call, type Move, say } from "./move.ts";
import { readTopic, undoCommand } from "./tool-answers.ts";
import { NO_MEMORY, refusedBy, WHICH_ONE } from "./wording.ts";

const NEEDED = ["MemorySearch", "ReadMemoryTopic", "DeleteMemoryTopic"] as const;
const ENOUGH = 0.5;
const CLEARLY_BETTER = 1.5;
const MOST_CHOICES = 5;

/** Finds the topic that is meant and deletes it; where several may be meant, asks which. */
export function forgetMove(about: string, facts: PromptFacts): Move {
  const { steps, tools } = facts;
  if (!NEEDED.every((name) => tools.has(name))) return say(NO_MEMORY);
  if (/^(?:everything|all(?: of (?:it|them))?|it all)$/i.test(about)) {
    return say(
      "I forget one topic at a time: say which. `caliban memory list` shows them all, and `caliban memory rm` removes one.",
    );
  }
  const search = searchMemory({ words: about, steps, leastShare: ENOUGH });
  if (search.kind === "next") return search.move;
  if (search.kind === "refused") return say(refusedBy("I could not look that up.", search.text));
  if (search.forms.length === 0) return say("What should I forget? Say what it is about.");
  if (search.topics.length === 0) return say("There is nothing about that in memory.");
  const meant = theOneMeant(search.topics, about);
  return meant === undefined ? say(whichOf(search.topics)) : forgetTopic(meant.slug, steps);
}

/** Reads the topic, because only what was read can be deleted, and deletes it. */
export function forgetTopic(slug: string, steps: readonly Step[]): Move {
  const deleted = steps.findLast(({ name }) => name === "DeleteMemoryTopic");
  if (deleted !== undefined) return say(afterDeletion(slug, deleted));
  const read = steps.findLast(({ name }) => name === "ReadMemoryTopic");
  if (read === undefined) return call("ReadMemoryTopic", { name: slug });
  const topic = read.isError ? undefined : readTopic(read.text);
  if (topic === undefined) return say(refusedBy(`I could not read ${slug}.`, read.text));
  return call("DeleteMemoryTopic", { name: slug, if_match: topic.hash });
}

function afterDeletion(slug: string, { text, isError }: Step): string {
  if (isError) return refusedBy(`I did not forget ${slug}.`, text);
  return `Forgotten: ${slug}.\n\n(\`${undoCommand(text)}\` brings it back)`;
}

function theOneMeant(topics: readonly JudgedTopic[], about: string): JudgedTopic | undefined {
  const named = topics.find(({ slug }) => slug.toLowerCase() === about.toLowerCase());
  if (named !== undefined) return named;
  const [best, next] = topics;
  if (best === undefined || best.share < ENOUGH) return undefined;
  const isAlone = next === undefined || next.share < best.share;
  return isAlone || best.score >= next.score * CLEARLY_BETTER ? best : undefined;
}

function whichOf(topics: readonly JudgedTopic[]): string {
  const lines = topics
    .slice(0, MOST_CHOICES)
    .map(({ slug, description }, index) => `${index + 1}. ${slug}: ${description}`);
  return `${WHICH_ONE}\n\n${lines.join("\n")}`;
}
