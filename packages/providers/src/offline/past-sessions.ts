import { readIntent } from "./intent.ts";
import type { FoundPassage, PassageTurn } from "./tool-answers.ts";
import { isOwnWording } from "./wording.ts";

/** What was said in a past session, with the session and the day; nothing where only questions and wishes were found. */
export function answerFromPassages(passages: readonly FoundPassage[]): string | undefined {
  for (const { session, day, age, turns } of passages) {
    const told = tellingTurn(turns);
    if (told === undefined) continue;
    const who = told.role === "user" ? "you" : "the agent";
    return `${told.text}\n\n(said by ${who} in session ${session}, ${day}, ${age})`;
  }
  return undefined;
}

/** A turn that was found, or the answer to one that asks. */
function tellingTurn(turns: readonly PassageTurn[]): PassageTurn | undefined {
  return turns.find((turn, place) => {
    const before = turns[place - 1];
    const isAnswer = before?.isHit === true && asks(before) && turn.role === "assistant";
    return (turn.isHit || isAnswer) && tells(turn);
  });
}

function asks({ role, text }: PassageTurn): boolean {
  return role === "user" && ["question", "about"].includes(readIntent(text).kind);
}

/** What is to be remembered or forgotten is a matter of notes, and what we answered from them is there, too. */
function tells({ role, text }: PassageTurn): boolean {
  return role === "user" ? readIntent(text).kind === "other" : !isOwnWording(text);
}
