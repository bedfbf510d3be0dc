import { tokensToBytes, utf8Bytes } from "@caliban/common";
import type { AssistantPart, Message } from "../message.ts";

const MOST_RESULT_CHARACTERS = 2_000;
const MOST_INPUT_CHARACTERS = 1_000;

/**
 * A conversation as text with a heading for each speaker: what was said in full, what tools gave only in part. Over the
 * limit whole messages are left out of the middle, and how many is said.
 */
export function renderTranscript(messages: readonly Message[], maxTokens: number): string {
  const texts = messages.map(renderMessage).filter((text) => text !== "");
  const left = leftOut(texts.map(utf8Bytes), tokensToBytes(maxTokens));
  if (left === undefined) return texts.join("\n\n");
  const { from, to } = left;
  const gap = `[${to - from} messages left out]`;
  return [...texts.slice(0, from), gap, ...texts.slice(to)].join("\n\n");
}

/** The run of messages to leave out: the newest half of the room goes to the end, the rest to the beginning. */
function leftOut(
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
      return `### Person\n${message.text}`;
    case "assistant": {
      const text = message.parts.map(renderPart).filter((part) => part !== "");
      return text.length === 0 ? "" : `### Agent\n${text.join("\n")}`;
    }
    case "tool":
      return message.results
        .map(
          ({ name, text, isError }) =>
            `### ${isError ? "Error" : "Result"} of ${name}\n${shortened(text, MOST_RESULT_CHARACTERS)}`,
        )
        .join("\n\n");
  }
}

function renderPart(part: AssistantPart): string {
  if (part.type === "reasoning") return "";
  if (part.type === "text") return part.text;
  return `[calls ${part.name} ${shortened(JSON.stringify(part.input), MOST_INPUT_CHARACTERS)}]`;
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  // Half of a pair is no text that every provider takes.
  return `${text.slice(0, half)} […] ${text.slice(-half)}`.toWellFormed();
}
