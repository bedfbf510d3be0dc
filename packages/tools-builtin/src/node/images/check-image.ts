import type { Image } from "@caliban/agent-core";
import { imageKind, inspectImage } from "../../images/inspect-image.ts";

/** What providers accept: the smallest of their limits. */
export const MAX_IMAGE_BYTES: number = 3_750_000;
const MAX_IMAGE_SIDE: number = 8_000;

/** An image that can be sent, or why it cannot, as the end of a sentence that begins with its name. */
export type CheckedImage =
  | { readonly image: Image; readonly kind: string }
  | { readonly problem: string };

/** Checks the bytes of an image against what models accept. */
export function checkImage(bytes: Uint8Array): CheckedImage {
  if (bytes.length > MAX_IMAGE_BYTES) return { problem: tooLarge(bytes.length) };
  const kind = imageKind(bytes)?.kind;
  if (kind === undefined) return { problem: "is not a PNG, JPEG, GIF or WebP image" };
  const found = inspectImage(bytes);
  if (found === undefined) return { problem: `is a damaged ${kind} image` };
  const { width, height, mediaType } = found;
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    const limit = `the limit is ${MAX_IMAGE_SIDE} pixels a side. Scale it down`;
    return { problem: `has ${width} × ${height} pixels; ${limit}` };
  }
  return { kind, image: { mediaType, width, height, data: Buffer.from(bytes).toString("base64") } };
}

/** For a file that is not read at all. */
export function tooLarge(bytes: number): string {
  return `has ${megabytes(bytes)} MB; the limit for an image is ${megabytes(MAX_IMAGE_BYTES)} MB. Scale it down`;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(2);
}
