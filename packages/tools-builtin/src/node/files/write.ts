import { lstatSync, type Stats } from "node:fs";
import { hasCode } from "@caliban/common/node";
import type { ToolState } from "../tool-state.ts";
import type { FileToolAction } from "../file-tool.ts";
import { FileToolError } from "../file-tool-error.ts";
import { resolveAllowedPath, type ResolvedPath } from "../resolve-path.ts";
import { withOpenFile } from "./open-file.ts";
import { replaceFile } from "./replace-file.ts";
import { readFileChunks, fingerprintText, requireSeen } from "./file-fingerprint.ts";

import { withActivation } from "./with-activation.ts";

const MEGABYTE = 1_000_000;
/** Most that is written in one call, and the largest file that is edited. */
export const MAX_WRITTEN_BYTES: number = 10 * MEGABYTE;

/** Makes a file, or replaces one that was read. */
export const write: FileToolAction<"Write"> = async ({ file_path, content }, session) => {
  const located = resolveAllowedPath(session, file_path, "write");
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_WRITTEN_BYTES) throw tooLargeError(located);
  const before = await fileBefore(session, located);
  const changedMs = await replaceFile(located, content, before);
  session.seenFiles.set(located.path, fingerprintText(content, changedMs));
  const lines = lineCount(content);
  const verb = before === undefined ? "Created" : "Replaced";
  const text = `${verb} ${located.display}: ${lines} ${lines === 1 ? "line" : "lines"}, ${bytes} bytes.`;
  const data = { path: located.display, isNew: before === undefined, lines, bytes };
  return await withActivation(session, located.path, { text, data });
};

export function tooLargeError({ display: shown }: ResolvedPath): FileToolError {
  return new FileToolError(
    "TOO_LARGE",
    `${shown} would be more than ${MAX_WRITTEN_BYTES / MEGABYTE} MB, and nothing was changed. Make it with a command.`,
  );
}

/** The file that is replaced, proven to be what the model has read; `undefined` for a new one. */
async function fileBefore(session: ToolState, located: ResolvedPath): Promise<Stats | undefined> {
  if (!isThere(located.path)) return undefined;
  return await withOpenFile(located, async (file) => {
    const { mark } = await readFileChunks(file, () => "enough");
    requireSeen(session, located, mark);
    return file.stats;
  });
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    if (!hasCode(error, "ENOTDIR", "ENAMETOOLONG")) throw error;
    throw new FileToolError(
      "BAD_PATH",
      "The path leads through a file, or is too long. Use another one.",
      { cause: error },
    );
  }
}

function lineCount(text: string): number {
  if (text === "") return 0;
  const breaks = text.split("\n").length - 1;
  return text.endsWith("\n") ? breaks : breaks + 1;
}
