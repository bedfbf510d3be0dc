import { hasHooks } from "./configured-hooks.ts";
import type { SessionHooks, SessionHooksInput } from "./session-hooks.ts";

/** Opens the hooks of a conversation in the background. Without a configured hook, no code for them is loaded. */
export function openSessionHooks(input: SessionHooksInput): Promise<SessionHooks> | undefined {
  if (!hasHooks(input.project)) return undefined;
  const opening = load(input);
  // A failure is reported where the hooks are used.
  opening.catch(() => undefined);
  return opening;
}

async function load(input: SessionHooksInput): Promise<SessionHooks> {
  const { createSessionHooks } = await import("./session-hooks.ts");
  return await createSessionHooks(input);
}
