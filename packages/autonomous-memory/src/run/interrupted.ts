/** Why a run ended early, by what started it: a conversation, or a command of the user. */
export const INTERRUPTED = {
  start: "the conversation ended before it was done",
  now: "interrupted by you",
} as const;
