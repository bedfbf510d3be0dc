import { type Signal, signal } from "@preact/signals";
import { revision } from "./live.ts";
import { change, type Outcome } from "./server.ts";

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
