import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Conversation } from "../../../conversation/conversation.ts";
import { configOptionsOf } from "./editor-modes.ts";

type StatefulConversation = Pick<Conversation, "policy" | "model" | "windowUse" | "spent">;

/** Tells an editor what a command, a plan or the model changed. */
export interface ShownState {
  /** Remembers what the editor itself has set. */
  readonly remember: () => void;
  /** Sends what changed since. */
  readonly refresh: () => void;
}

export function createShownState(
  conversation: StatefulConversation,
  update: (update: SessionUpdate) => void,
): ShownState {
  const current = (): { readonly mode: string; readonly model: string } => ({
    mode: conversation.policy().mode,
    model: conversation.model(),
  });
  let shown = current();
  return {
    remember: () => {
      shown = current();
    },
    refresh: () => {
      const { mode, model } = current();
      if (mode !== shown.mode) {
        update({ sessionUpdate: "current_mode_update", currentModeId: mode });
      }
      if (model !== shown.model) {
        const configOptions = configOptionsOf(conversation);
        update({ sessionUpdate: "config_option_update", configOptions });
      }
      shown = { mode, model };
      update(usageOf(conversation));
    },
  };
}

function usageOf(conversation: StatefulConversation): SessionUpdate {
  const { windowTokens, parts } = conversation.windowUse();
  const { cost } = conversation.spent();
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    sessionUpdate: "usage_update",
    used,
    size: windowTokens,
    ...(cost.unpriced.length > 0 ? {} : { cost: { amount: cost.dollars, currency: "USD" } }),
  };
}
