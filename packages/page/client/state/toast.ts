import { type Signal, signal } from "@preact/signals";
import { revision } from "./live.ts";
import { type BatchOutcome, change, changeMany, type Outcome } from "./server.ts";

/** What just happened, and how to go back. */
export interface Toast {
  readonly text: string;
  readonly isProblem: boolean;
  readonly undo?: (() => void) | undefined;
}

export const toast: Signal<Toast | undefined> = signal(undefined);

/** Shows what became of a change. Returns whether it was made. */
export function showOutcome(scope: string, outcome: Outcome): boolean {
  revision.value += 1;
  if (outcome.kind === "conflict") {
    toast.value = {
      text: "Someone else changed it meanwhile; nothing was changed.",
      isProblem: true,
    };
    return false;
  }
  if (outcome.kind === "refused") {
    toast.value = { text: `Nothing was changed: ${outcome.message}`, isProblem: true };
    return false;
  }
  const { message, change: id } = outcome;
  toast.value = {
    text: message,
    isProblem: false,
    undo: id === undefined ? undefined : () => void undoChange(scope, id),
  };
  return true;
}

export async function undoChange(scope: string, id: string): Promise<void> {
  showOutcome(scope, await change("change/undo", { scope, id }));
}

/** Shows what became of several changes, such as `deleted 3 topics`. Returns whether any was made. */
export function showBatch(verb: string, noun: string, outcome: BatchOutcome): boolean {
  revision.value += 1;
  if (outcome.kind === "refused") {
    toast.value = { text: `Nothing was changed: ${outcome.message}`, isProblem: true };
    return false;
  }
  const { done, failed, changes } = outcome;
  const [first] = failed;
  const left =
    first === undefined
      ? ""
      : `. ${failed.length} left as they are: ${first.id}: ${first.message}${failed.length > 1 ? ", …" : ""}`;
  toast.value = {
    text: `${verb} ${done} ${noun}${done === 1 ? "" : "s"}${left}`,
    isProblem: failed.length > 0,
    undo: changes.length === 0 ? undefined : () => void undoMany(changes),
  };
  return done > 0;
}

/** The last one first, as each may build on the ones before. */
async function undoMany(
  changes: readonly { readonly scope: string; readonly id: string }[],
): Promise<void> {
  showBatch("undid", "change", await changeMany("changes/undo", changes.toReversed()));
}
