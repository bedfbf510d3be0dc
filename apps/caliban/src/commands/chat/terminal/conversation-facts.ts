import type { Conversation } from "../../../agent/conversation.ts";
import type { ScreenState } from "../../../../../../packages/tui/src/screen/screen-state.ts";

/** What the footer says about a conversation. */
export function conversationFacts(
  conversation: Conversation,
): Pick<ScreenState, "model" | "mode" | "usedPercent"> {
  const { windowTokens, parts } = conversation.contextUse();
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    model: conversation.model(),
    mode: conversation.policy().mode,
    usedPercent: windowTokens === 0 ? 0 : Math.round((used / windowTokens) * 100),
  };
}
