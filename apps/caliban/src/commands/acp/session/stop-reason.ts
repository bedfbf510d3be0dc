import type { StopReason } from "@agentclientprotocol/sdk";
import type { TurnOutcome } from "@caliban/agent-core";
import type { Conversation } from "../../../conversation/conversation.ts";
import { failed, invalidParams } from "../protocol/request-error.ts";

/** @throws RequestError if the prompt was not answered, for a reason that the user should see */
export function toStopReason(
  outcome: TurnOutcome,
  conversation: Pick<Conversation, "messages">,
): StopReason {
  switch (outcome.kind) {
    case "done":
      return isCutAtLimit(conversation) ? "max_tokens" : "end_turn";
    case "interrupted":
      return "cancelled";
    case "step-limit":
      return "max_turn_requests";
    case "refused":
      return "refusal";
    case "budget":
      throw failed(outcome.message, { code: "budget" });
    case "not-sent":
      throw invalidParams(outcome.message);
    case "failed":
      throw failed(outcome.failure.message, { code: outcome.failure.code });
  }
}

function isCutAtLimit(conversation: Pick<Conversation, "messages">): boolean {
  const last = conversation.messages().at(-1);
  return last?.role === "assistant" && last.cut === "length";
}
