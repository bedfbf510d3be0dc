import type { SessionMessage } from "./session-message.ts";

/** What a person or an agent said in one line of a transcript, without calls of tools and what they gave back. */
export interface SpokenTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Where its line begins in the file. */
  readonly byte: number;
  /** ISO 8601, as the line has it. */
  readonly at: string | undefined;
}

/** What was said among the messages of one line; `undefined` when nothing was. */
export function spokenIn(
  messages: readonly SessionMessage[],
): Pick<SpokenTurn, "role" | "text"> | undefined {
  for (const message of messages) {
    const text = textOf(message);
    if (message.role !== "tool" && text.trim() !== "") return { role: message.role, text };
  }
  return undefined;
}

function textOf(message: SessionMessage): string {
  if (message.role === "tool") return "";
  if (message.role === "user") return message.text;
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
