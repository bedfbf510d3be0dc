import { findSecrets } from "@caliban/common/secrets";
import { type ConversationState, secretMask } from "./state.ts";

/** Whether a text contains one of the user's keys, or anything that looks like a secret. */
export async function holdsSecret(
  { agent }: Pick<ConversationState, "agent">,
  text: string,
): Promise<boolean> {
  return secretMask(agent)(text) !== text || (await findSecrets(text)).length > 0;
}
