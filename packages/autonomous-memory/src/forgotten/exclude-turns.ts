import type { SessionMessage } from "@caliban/sessions";
import type { ForgottenStatements } from "./forgotten-statements.ts";

/**
 * The messages of a session without the turns that said what is forgotten. Calls and results stay.
 * @yields one message at a time
 */
export async function* excludeTurns(
  messages: AsyncIterable<SessionMessage>,
  { session, forgotten }: { readonly session: string; readonly forgotten: ForgottenStatements },
): AsyncGenerator<SessionMessage, void, undefined> {
  const isExcluded = (text: string): boolean => forgotten.isExcluded({ session, text });
  for await (const message of messages) {
    const left = message.role === "tool" ? message : withoutExcluded(message, isExcluded);
    if (left !== undefined) yield left;
  }
}

function withoutExcluded(
  message: Exclude<SessionMessage, { readonly role: "tool" }>,
  isExcluded: (text: string) => boolean,
): SessionMessage | undefined {
  if (message.role === "user") return isExcluded(message.text) ? undefined : message;
  const texts = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length === 0 || !isExcluded(texts.join("\n"))) return message;
  const parts = message.parts.filter(({ type }) => type !== "text");
  return parts.length === 0 ? undefined : { ...message, parts };
}
