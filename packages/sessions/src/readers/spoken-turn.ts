import type { SessionMessage } from "../record/session-message.ts";

/** What the user or the agent said in one line of a transcript, without tool calls and results. */
export interface SpokenTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** The offset of its line in the file. */
  readonly byte: number;
  /** ISO 8601, as in the line. */
  readonly at: string | undefined;
}

/** A turn, with what came before it in its conversation. */
export interface StreamedTurn extends SpokenTurn {
  /** Whether the agent had used a tool since the user's last message, so that its text may repeat anything. */
  readonly isTainted: boolean;
  /** The files that tools used since the turn before, relative to the session's directory if they are in it. */
  readonly touched: readonly string[];
}

/** What was said in the messages of one line; `undefined` when nothing was. */
export function findSpokenTurn(
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
