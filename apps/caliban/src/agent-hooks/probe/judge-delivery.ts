import { probeText } from "./probe-event.ts";
import type { ProbeRecipe } from "./probe-recipes.ts";

/** What became of the answer of a hook. */
export type Delivery =
  /** It was in the first request that could have it. */
  | { readonly kind: "arrived"; readonly ms: number }
  /** It was only in a later request: the model had acted by then. */
  | { readonly kind: "late"; readonly ms: number }
  /** The hook answered, and no request had it. */
  | { readonly kind: "dropped"; readonly ms: number }
  /** The agent did not call it. */
  | { readonly kind: "not-called" }
  /** A short run has no such event. */
  | { readonly kind: "not-tried" };

export interface HookDelivery {
  readonly event: string;
  readonly delivery: Delivery;
}

export interface JudgeInput {
  readonly recipe: Pick<ProbeRecipe, "before" | "after">;
  readonly nonce: string;
  /** The events with a hook. */
  readonly installed: readonly string[];
  /** What the hooks wrote when they were called: the event, and after how many milliseconds. */
  readonly log: string;
  /** The requests of the conversation, in order. */
  readonly requests: readonly string[];
}

/** Tells for each installed hook whether its answer reached the model in time. */
export function judgeDelivery(input: JudgeInput): readonly HookDelivery[] {
  return input.installed.map((event) => ({ event, delivery: judge(event, input) }));
}

function judge(event: string, { recipe, nonce, log, requests }: JudgeInput): Delivery {
  // The result of the first call is in the second request.
  const expected = recipe.before.includes(event) ? 0 : event === recipe.after ? 1 : undefined;
  if (expected === undefined) return { kind: "not-tried" };
  const called = log
    .split("\n")
    .map((line) => line.split(" "))
    .find(([name]) => name === event);
  if (called === undefined) return { kind: "not-called" };
  const ms = Number(called[1] ?? 0);
  const at = requests.findIndex((request) => request.includes(probeText(nonce, event)));
  if (at === -1) return { kind: "dropped", ms };
  return { kind: at <= expected ? "arrived" : "late", ms };
}
