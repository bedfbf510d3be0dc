import { tokensToBytes, utf8Bytes } from "@caliban/common";
import type { AssistantPart, Message } from "../message.ts";
import { describeAttachment } from "./render-attachment.ts";

const MAX_RESULT_CHARACTERS = 2_000;
const MAX_INPUT_CHARACTERS = 1_000;

/**
 * Renders a conversation as text with a heading for each speaker. Messages are complete, tool results are shortened. Over
 * the limit, whole messages are left out of the middle and counted.
 */
export function renderTranscript(messages: readonly Message[], maxTokens: number): string {
  const texts = messages.map(renderMessage).filter((text) => text !== "");
  const gap = findGap(texts.map(utf8Bytes), tokensToBytes(maxTokens));
  if (gap === undefined) return texts.join("\n\n");
  const { from, to } = gap;
  const note = `[${to - from} messages left out]`;
  return [...texts.slice(0, from), note, ...texts.slice(to)].join("\n\n");
}

/** Finds the messages to leave out. Up to 70% of the room goes to the end, the rest to the beginning. */
function findGap(
  sizes: readonly number[],
  maxBytes: number,
): { readonly from: number; readonly to: number } | undefined {
  const total = sizes.reduce((sum, size) => sum + size + 2, 0);
  if (total <= maxBytes) return undefined;
  let from = 0;
  let to = sizes.length;
  let room = maxBytes;
  for (let taken = 0; to > from; to--) {
    taken += (sizes[to - 1] ?? 0) + 2;
    if (taken > maxBytes * 0.7) break;
    room = maxBytes - taken;
  }
  for (let taken = 0; from < to; from++) {
    taken += (sizes[from] ?? 0) + 2;
    if (taken > room) break;
  }
  return { from, to };
}

function renderMessage(message: Message): string {
  switch (message.role) {
    case "user":
      return [
        `### User\n${message.text}`,
        ...(message.attachments ?? []).map((attachment) => `[${describeAttachment(attachment)}]`),
      ].join("\n");
    case "assistant": {
      const text = message.parts.map(renderPart).filter((part) => part !== "");
      return text.length === 0 ? "" : `### Agent\n${text.join("\n")}`;
    }
    case "tool":
      return message.results
        .map(
          ({ name, text, isError }) =>
            `### ${isError ? "Error" : "Result"} of ${name}\n${shorten(text, MAX_RESULT_CHARACTERS)}`,
        )
        .join("\n\n");
  }
}

function renderPart(part: AssistantPart): string {
  if (part.type === "reasoning") return "";
  if (part.type === "text") return part.text;
  return `[calls ${part.name} ${shorten(JSON.stringify(part.input), MAX_INPUT_CHARACTERS)}]`;
}

function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.floor(maxCharacters / 2);
  // Some providers reject half of a surrogate pair.
  return `${text.slice(0, half)} […] ${text.slice(-half)}`.toWellFormed();
}
