import type { ScreenState } from "@caliban/tui";
import type { Conversation } from "../../../conversation/conversation.ts";

/** What the footer shows about a conversation. */
export function footerFacts(
  conversation: Conversation,
): Pick<ScreenState, "model" | "mode" | "usedPercent"> {
  const { windowTokens, parts } = conversation.windowUse();
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    model: conversation.model(),
    mode: conversation.policy().mode,
    usedPercent: windowTokens === 0 ? 0 : Math.round((used / windowTokens) * 100),
  };
}
