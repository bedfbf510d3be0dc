import type { Message } from "../message.ts";

/** The first line of a message that replaces the older part of a conversation. */
export const SUMMARY_HEADER =
  "[The earlier part of this conversation was replaced by this summary. It records what was said and done so far. Continue from here.]";

/** Whether a message is the summary of an earlier part of the conversation, rather than the user's. */
export function isSummary(message: Message): boolean {
  return message.role === "user" && message.text.startsWith(SUMMARY_HEADER);
}
