import { estimateTokens } from "@caliban/common";
import type { AssistantPart, Attachment, Image, Message } from "../message.ts";
import { renderAttachment } from "./render-attachment.ts";

/** Estimates how many tokens of the context window a message uses, with the same estimate as memory. */
export function messageTokens(message: Message): number {
  switch (message.role) {
    case "user":
      return (message.attachments ?? []).reduce(
        (sum, attachment) => sum + attachmentTokens(attachment),
        estimateTokens(message.text + (message.note ?? "")),
      );
    case "assistant":
      return message.parts.reduce((sum, part) => sum + partTokens(part), 0);
    case "tool":
      return message.results.reduce(
        (sum, { text, images = [] }) => sum + estimateTokens(text) + imageTokens(images),
        0,
      );
  }
}

function attachmentTokens(attachment: Attachment): number {
  const tokens = estimateTokens(renderAttachment(attachment, true));
  return attachment.type === "image" ? tokens + imageTokens([attachment.image]) : tokens;
}

const PIXELS_PER_TOKEN = 750;
/** Providers scale larger images down. */
const MAX_IMAGE_TOKENS = 4_800;

function imageTokens(images: readonly Image[]): number {
  return images.reduce((sum, { width, height, data }) => {
    const tokens = Math.ceil((width * height) / PIXELS_PER_TOKEN);
    return sum + (data === "" ? 0 : Math.min(tokens, MAX_IMAGE_TOKENS));
  }, 0);
}

/** Estimates the tokens of a whole conversation. */
export function conversationTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

function partTokens(part: AssistantPart): number {
  return part.type === "tool-call"
    ? estimateTokens(part.name + JSON.stringify(part.input))
    : estimateTokens(part.text);
}
