import { lstatSync, type Stats } from "node:fs";
import { hasCode } from "@caliban/common/node";
import type { FileSession } from "../file-session.ts";
import type { FileToolAction } from "../file-tool.ts";
import { FileToolError } from "../file-tool-error.ts";
import { locate, type Located } from "../locate.ts";
import { withOpenFile } from "./open-file.ts";
import { replaceFile } from "./replace-file.ts";
import { scanFile } from "./file-fingerprint.ts";
import { markOfText, requireSeen } from "./seen-file.ts";
import { withActivation } from "./with-activation.ts";

const MEGABYTE = 1_000_000;
/** Most that is written in one call, and the largest file that is edited. */
export const MOST_WRITTEN_BYTES: number = 10 * MEGABYTE;

/** Makes a file, or replaces one that was read. */
export const write: FileToolAction<"Write"> = async ({ file_path, content }, session) => {
  const located = locate(session, file_path, "write");
  const bytes = Buffer.byteLength(content);
  if (bytes > MOST_WRITTEN_BYTES) throw tooLarge(located);
  const before = await fileBefore(session, located);
  const changedMs = await replaceFile(located, content, before);
  session.seen.set(located.path, markOfText(content, changedMs));
  const lines = lineCount(content);
  const verb = before === undefined ? "Created" : "Replaced";
  const text = `${verb} ${located.shown}: ${lines} ${lines === 1 ? "line" : "lines"}, ${bytes} bytes.`;
  const data = { path: located.shown, isNew: before === undefined, lines, bytes };
  return await withActivation(session, located.path, { text, data });
};

export function tooLarge({ shown }: Located): FileToolError {
  return new FileToolError(
    "TOO_LARGE",
    `${shown} would be more than ${MOST_WRITTEN_BYTES / MEGABYTE} MB, and nothing was changed. Make it with a command.`,
  );
}

/** The file that is replaced, proven to be what the model has read; `undefined` for a new one. */
async function fileBefore(session: FileSession, located: Located): Promise<Stats | undefined> {
  if (!isThere(located.path)) return undefined;
  return await withOpenFile(located, async (file) => {
    const { mark } = await scanFile(file, () => "enough");
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
