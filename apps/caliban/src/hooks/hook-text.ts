import type { Objection } from "@caliban/agent-core";
import { renderHookText, terminalSafe, terminalSafeLine } from "@caliban/common";
import { sanitizeOutput } from "@caliban/memory";
import type { Hook } from "./hook.ts";

type Named = Pick<Hook, "name" | "event" | "isRequested">;

const MAX_CONTEXT_CHARACTERS = 10_000;
const MAX_REASON_CHARACTERS = 500;

/** A text of a hook as the model reads it: in a frame that it cannot close, with its origin. */
export function framedHookText({ name, event }: Named, text: string): string {
  const escaped = sanitizeOutput(terminalSafe(shortened(text, MAX_CONTEXT_CHARACTERS)));
  return renderHookText({ hook: name, event, text: escaped });
}

/** An objection of a hook. Its reason is data, for the user on one line and for the model in a frame. */
export function hookObjection(
  hook: Named,
  effect: Objection["effect"],
  reason: string | undefined,
): Objection {
  const who = hook.isRequested ? `The repository's hook ${hook.name}` : `Your hook ${hook.name}`;
  const does = effect === "deny" ? "denies it" : "requires approval";
  const given = shortened((reason ?? "").trim(), MAX_REASON_CHARACTERS);
  const forModel = hook.isRequested ? who : `The user's hook ${hook.name}`;
  if (given === "") return { effect, reason: `${who} ${does}.`, text: `${forModel} ${does}.` };
  return {
    effect,
    reason: `${who} ${does}: ${terminalSafeLine(given.replaceAll(/\s+/g, " "))}`,
    text: `${forModel} ${does}. Its reason:\n${framedHookText(hook, given)}`,
  };
}

function shortened(text: string, maxCharacters: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= maxCharacters) return whole;
  const left = whole.length - maxCharacters;
  return `${whole.slice(0, maxCharacters).toWellFormed()}… (${left} more characters left out)`;
}
