import { readSync } from "node:fs";
import type { OpenFile } from "./open-file.ts";

const STARTS = /^(?:\u0089PNG|\u00FF\u00D8\u00FF|GIF8|RIFF[^]{4}WEBP)/;
const START_BYTES = 12;

/** Whether an open file starts like an image of a kind that models accept. */
export function startsAsImage({ descriptor }: OpenFile): boolean {
  const start = Buffer.alloc(START_BYTES);
  readSync(descriptor, start, 0, START_BYTES, 0);
  return STARTS.test(start.toString("latin1"));
}
