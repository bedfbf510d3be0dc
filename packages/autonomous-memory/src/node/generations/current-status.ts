import { join } from "node:path";
import { readTextFile, statIfExists } from "@caliban/common/node";
import type { CurrentStatus } from "../../generation/generations.ts";
import { CURRENT_FILE, GENERATIONS_DIRECTORY } from "./current-generation.ts";
import { RECORD_FILE } from "./read-snapshot.ts";

const MAX_BYTES = 1024;

/** The status of the current generation without reading it; `undefined` when nothing has been learned yet. */
export function readCurrentStatus(directory: string): CurrentStatus | undefined {
  const path = join(directory, CURRENT_FILE);
  const sinceMs = modifiedAtMs(path);
  const file = readTextFile(path, MAX_BYTES, {});
  if (sinceMs === undefined || file.kind !== "text") return undefined;
  const digits = /^[1-9]\d{0,14}$/.exec(file.text.trim())?.[0];
  // The record is written once, together with the generation.
  const madeAtMs =
    digits === undefined
      ? undefined
      : modifiedAtMs(join(directory, GENERATIONS_DIRECTORY, digits, RECORD_FILE));
  return {
    generation: digits === undefined ? undefined : Number(digits),
    exists: madeAtMs !== undefined,
    madeAtMs: madeAtMs ?? sinceMs,
    sinceMs,
  };
}

function modifiedAtMs(path: string): number | undefined {
  const stats = statIfExists(path);
  return stats === undefined ? undefined : Math.trunc(stats.mtimeMs);
}
