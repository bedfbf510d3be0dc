import { lstatSync } from "node:fs";
import { hasCode } from "@caliban/common/node";
import { FileToolError } from "../file-tool-error.ts";
import type { FileToolAction } from "../file-tool.ts";
import { resolveAllowedPath, type ResolvedPath } from "../resolve-path.ts";
import type { ToolState } from "../tool-state.ts";
import { withActivation } from "./activation.ts";
import { readFileChunks, requireSeen } from "./file-fingerprint.ts";
import { withOpenFile } from "./open-file.ts";
import { type PreviousFile, replaceFile } from "./replace-file.ts";

const MEGABYTE = 1_000_000;
/** The most that one call writes, and the largest file that can be edited. */
export const MAX_WRITTEN_BYTES: number = 10 * MEGABYTE;

/** Creates a file, or replaces one that was read. */
export const write: FileToolAction<"Write"> = async ({ file_path, content }, state) => {
  const resolved = resolveAllowedPath(state, file_path, "write");
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_WRITTEN_BYTES) throw tooLargeError(resolved);
  const previous = await findSeenFile(state, resolved);
  const fingerprint = await replaceFile({ resolved, text: content, previous });
  state.seenFiles.set(resolved.path, fingerprint);
  const lines = countLines(content);
  const verb = previous === undefined ? "Created" : "Replaced";
  const text = `${verb} ${resolved.display}: ${lines} ${lines === 1 ? "line" : "lines"}, ${bytes} bytes.`;
  const data = { path: resolved.display, isNew: previous === undefined, lines, bytes };
  return await withActivation(state, resolved.path, { text, data });
};

export function tooLargeError({ display }: ResolvedPath): FileToolError {
  return new FileToolError(
    "TOO_LARGE",
    `${display} would be larger than ${MAX_WRITTEN_BYTES / MEGABYTE} MB, so nothing was changed. Create it with a command.`,
  );
}

/** The file to replace, which the model must have read. Returns `undefined` for a new file. */
async function findSeenFile(
  state: ToolState,
  resolved: ResolvedPath,
): Promise<PreviousFile | undefined> {
  if (!exists(resolved.path)) return undefined;
  return await withOpenFile(resolved, async (file) => {
    const { fingerprint } = await readFileChunks(file, () => "enough");
    requireSeen(state, resolved, fingerprint);
    return { fingerprint, stats: file.stats };
  });
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    if (!hasCode(error, "ENOTDIR", "ENAMETOOLONG")) throw error;
    throw new FileToolError(
      "BAD_PATH",
      "A part of the path is a file, or the path is too long. Use another path.",
      { cause: error },
    );
  }
}

function countLines(text: string): number {
  if (text === "") return 0;
  const breaks = text.split("\n").length - 1;
  return text.endsWith("\n") ? breaks : breaks + 1;
}
