import { type TeamState, versionOf } from "../state/state.ts";
import type { WaitingChange } from "../team/changes.ts";
import { isWaiting } from "./take-over.ts";

/** Everything that waits for the user. */
export function waitingChanges(state: TeamState): readonly WaitingChange[] {
  return [...state.unapproved]
    .filter(([slug]) => isWaiting(state, slug))
    .map(([slug, { authors, at, text }]) => {
      const before = state.used.get(slug)?.text;
      const action = text === undefined ? "unshare" : before === undefined ? "share" : "edit";
      return { slug, action, version: versionOf(state, slug), text, before, authors, at };
    });
}
