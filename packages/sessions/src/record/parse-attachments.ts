import { isJsonObject } from "./json-value.ts";
import type { SessionAttachment, SessionImage, SessionUserMessage } from "./session-message.ts";

/** The attachments of a message. Those that a later version wrote are left out and counted. */
export function parseAttachments(value: unknown): Pick<SessionUserMessage, "attachments"> & {
  readonly unknownParts: number;
} {
  if (!Array.isArray(value)) return { unknownParts: 0 };
  const attachments = value.map(parseAttachment).filter((item) => item !== undefined);
  const unknownParts = value.length - attachments.length;
  return attachments.length === 0 ? { unknownParts } : { attachments, unknownParts };
}

function parseAttachment(value: unknown): SessionAttachment | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, path, text, size, tool, name } = value;
  if (type === "image") {
    const image = parseImage(value["image"]);
    return image === undefined || typeof name !== "string" ? undefined : { type, name, image };
  }
  const isText = type === "text" && typeof path === "string" && typeof text === "string";
  if (!isText || typeof size !== "string" || typeof tool !== "string") return undefined;
  return { type, path, text, size, tool };
}

/** The images of a result. Invalid ones are left out: the text says that there was one. */
export function parseImages(value: unknown): { readonly images?: readonly SessionImage[] } {
  if (!Array.isArray(value)) return {};
  const images = value.map(parseImage).filter((image) => image !== undefined);
  return images.length === 0 ? {} : { images };
}

const MAX_SIDE = 100_000;

function parseImage(value: unknown): SessionImage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { mediaType, width, height, data } = value;
  if (typeof mediaType !== "string" || !/^image\/[a-z]+$/.test(mediaType)) return undefined;
  if (!isSide(width) || !isSide(height) || typeof data !== "string") return undefined;
  return { mediaType, width, height, data: isBase64(data) ? data : "" };
}

function isSide(value: unknown): value is number {
  return Number.isSafeInteger(value) && typeof value === "number" && value > 0 && value <= MAX_SIDE;
}

/** What was cut when it was saved is not an image any more. */
function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(data);
}
