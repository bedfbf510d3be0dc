import { readChoice } from "./choice.ts";
import type { PromptFacts } from "./prompt-facts.ts";
import { forgetMove, forgetTopic } from "./forget.ts";
import { type Intent, readIntent } from "./intent.ts";
import { listMove } from "./list-topics.ts";
import { type Move, say } from "./move.ts";
import { recallMove } from "./recall.ts";
import { rememberMove } from "./remember.ts";
import { INTRODUCTION, NO_MEMORY } from "./wording.ts";

/** More than any wish takes: what goes on longer is stuck. */
const MOST_STEPS = 8;

/** What the offline model does next: same conversation, same move. */
export function nextMove(facts: PromptFacts): Move {
  if (facts.steps.length >= MOST_STEPS) {
    return say("I tried several times and did not get there. Please say it in other words.");
  }
  const intent = readIntent(facts.said);
  return choiceMove(intent, facts) ?? wishMove(intent, facts);
}

/** An answer to our own question is understood as one before anything else. */
function choiceMove(intent: Intent, facts: PromptFacts): Move | undefined {
  if (intent.kind !== "other" && intent.kind !== "forget") return undefined;
  const answer = intent.kind === "forget" ? intent.about : facts.said;
  const choice = readChoice(answer, facts.before);
  if (choice === undefined) return undefined;
  if (choice.kind === "none") return say("All right, I keep everything.");
  if (choice.kind === "unclear") return say(facts.before);
  return forgetTopic(choice.slug, facts.steps);
}

function wishMove(intent: Intent, facts: PromptFacts): Move {
  switch (intent.kind) {
    case "remember":
      return facts.tools.has("WriteMemoryTopic")
        ? rememberMove(intent.fact, facts.steps)
        : say(NO_MEMORY);
    case "forget":
      return forgetMove(intent.about, facts);
    case "about":
      return recallMove({ words: intent.about, leastShare: 0.34, mostTopics: 3 }, facts);
    case "question":
      return recallMove({ words: intent.text, leastShare: 0.5, mostTopics: 1 }, facts);
    case "list":
      return listMove(facts);
    case "identity":
    case "other":
      return say(INTRODUCTION);
  }
}
