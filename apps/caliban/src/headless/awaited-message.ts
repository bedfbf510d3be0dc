import type { Host } from "../host.ts";
import type { FirstMessage } from "./first-message.ts";
import type { InputMessage } from "./input-messages.ts";

/**
 * A message that is still being read while the conversation is opened; the signal ends the wait.
 * @yields it, once it is there
 */
export async function* awaitedMessage(
  reading: Promise<FirstMessage>,
  { stderr }: Pick<Host, "stderr">,
  signal: AbortSignal,
): AsyncGenerator<InputMessage> {
  const read = await Promise.race([reading, aborted(signal)]);
  if (read?.warning !== undefined) stderr(`caliban: ${read.warning}\n`);
  if (read?.text !== undefined) yield { type: "user", text: read.text };
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return undefined;
  return await new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
