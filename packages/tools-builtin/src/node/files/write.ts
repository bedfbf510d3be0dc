import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { hasCode } from "@caliban/common/node";
import { FileToolError } from "../file-tool-error.ts";
import type { FileToolAction } from "../file-tool.ts";
import { resolveAllowedPath, type ResolvedPath } from "../resolve-path.ts";
import type { ToolState } from "../tool-state.ts";
import { withActivation } from "./activation.ts";
import { readFileChunks, requireSeen } from "./file-fingerprint.ts";
import { withOpenFile } from "./open-file.ts";
import { renderRewrite } from "./render-diff.ts";
import { changeFile } from "./change-file.ts";
import type { PreviousFile } from "./replace-file.ts";

const MEGABYTE = 1_000_000;
/** The most that one call writes, and the largest file that can be edited. */
export const MAX_WRITTEN_BYTES: number = 10 * MEGABYTE;

/** Creates a file, or replaces one that was read. */
export const write: FileToolAction<"Write"> = async ({ file_path, content }, state) => {
  const resolved = resolveAllowedPath(state, file_path, "write");
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_WRITTEN_BYTES) throw tooLargeError(resolved);
  const previous = await findSeenFile(state, resolved);
  const fingerprint = await changeFile(state, { resolved, text: content, previous });
  state.seenFiles.set(resolved.path, fingerprint);
  const lines = countLines(content);
  const verb = previous === undefined ? "Created" : "Replaced";
  const text = `${verb} ${resolved.display}: ${lines} ${lines === 1 ? "line" : "lines"}, ${bytes} bytes.`;
  const isNew = previous === undefined;
  const change = changeOf(previous === undefined ? "" : previous.text, content);
  const data = { path: resolved.display, isNew, lines, bytes, ...change };
  return await withActivation(state, resolved.path, { text, data });
};

/** A larger file is not compared with what it was. */
const MAX_COMPARED_BYTES = MEGABYTE;

/** What changed, for programs: the model knows what it wrote. */
function changeOf(
  before: string | undefined,
  after: string,
): { readonly added?: number; readonly removed?: number; readonly diff?: string } {
  if (before === undefined || after.length > MAX_COMPARED_BYTES) return {};
  const { added, removed, text: diff } = renderRewrite(before, after);
  return { added, removed, diff };
}

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
): Promise<SeenFile | undefined> {
  if (!exists(resolved.path)) return undefined;
  return await withOpenFile(resolved, async (file) => {
    const isCompared = file.stats.size <= MAX_COMPARED_BYTES;
    const chunks: Buffer[] = [];
    const { fingerprint } = await readFileChunks(file, (bytes) => {
      if (isCompared) chunks.push(Buffer.from(bytes));
      return "enough";
    });
    requireSeen(state, resolved, fingerprint);
    const bytes = Buffer.concat(chunks);
    const text = isCompared && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
    return { fingerprint, stats: file.stats, text };
  });
}

interface SeenFile extends PreviousFile {
  /** `undefined` where it is too large to be compared, or not text. */
  readonly text: string | undefined;
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
