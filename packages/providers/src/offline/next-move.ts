import { ask } from "./ask.ts";
import { forget, forgetChosen } from "./forget.ts";
import { type Intent, readIntent } from "./intent.ts";
import { list } from "./list.ts";
import { INTRODUCTION, STUCK } from "./messages.ts";
import { remember } from "./remember.ts";
import { type Move, say, type Turn } from "./turn.ts";

/** More than any request takes. */
const MAX_STEPS = 8;

/** What the offline model does next. The same conversation always gives the same move. */
export function nextMove(turn: Turn): Move {
  if (turn.steps.length >= MAX_STEPS) return say(STUCK);
  const intent = readIntent(turn.message);
  return answerToQuestion(intent, turn) ?? moveFor(intent, turn);
}

/** A message is first understood as an answer to our own question. */
function answerToQuestion(intent: Intent, turn: Turn): Move | undefined {
  if (intent.kind === "other") return forgetChosen(turn.message, turn);
  return intent.kind === "forget" ? forgetChosen(intent.about, turn) : undefined;
}

function moveFor(intent: Intent, turn: Turn): Move {
  switch (intent.kind) {
    case "remember":
      return remember(intent.fact, turn);
    case "forget":
      return forget(intent.about, turn);
    case "ask":
      return ask(intent.about, intent.isBroad, turn);
    case "list":
      return list(turn);
    case "other":
      return say(INTRODUCTION);
  }
}
