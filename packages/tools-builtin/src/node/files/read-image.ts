import { readSync } from "node:fs";
import type { ToolResult } from "@caliban/agent-core";
import { FileToolError } from "../file-tool-error.ts";
import type { OpenFile } from "./open-file.ts";
import { checkImage, MAX_IMAGE_BYTES, tooLarge } from "../images/check-image.ts";

/**
 * Reads an image for the model.
 *
 * @throws FileToolError if models do not accept it
 */
export function readImage(name: string, { descriptor, stats }: OpenFile): ToolResult {
  if (stats.size > MAX_IMAGE_BYTES) throw imageError(name, tooLarge(stats.size));
  // One more byte, because the file may have grown.
  const buffer = Buffer.alloc(stats.size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, length);
    if (count === 0) break;
    length += count;
  }
  const checked = checkImage(buffer.subarray(0, length));
  if ("problem" in checked) throw imageError(name, checked.problem);
  const { image, kind } = checked;
  const text = `${name} is a ${kind} image of ${image.width} × ${image.height} pixels.`;
  return { text, images: [image], data: { path: name } };
}

function imageError(name: string, problem: string): FileToolError {
  return new FileToolError("BAD_IMAGE", `${name} ${problem}.`);
}
