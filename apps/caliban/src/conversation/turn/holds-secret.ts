import { findSecrets } from "@caliban/common/secrets";
import { createSecretMask } from "@caliban/tools-builtin/node";
import { secretValues } from "../../project/secret-variables.ts";
import type { ConversationState } from "./state.ts";

/** Whether a text contains one of the user's keys, or anything that looks like a secret. */
export async function holdsSecret(
  { agent }: Pick<ConversationState, "agent">,
  text: string,
): Promise<boolean> {
  const { settings, environment } = agent.project;
  const mask = createSecretMask(secretValues(settings, environment.env));
  return mask(text) !== text || (await findSecrets(text)).length > 0;
}
