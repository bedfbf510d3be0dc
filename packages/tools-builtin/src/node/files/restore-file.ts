import { lstatSync } from "node:fs";
import { type Disk, errorCode, nodeDisk } from "@caliban/common/node";
import { isFileToolError } from "../file-tool-error.ts";
import type { FileState } from "./file-state.ts";
import { removeFile, replaceFile } from "./replace-file.ts";

/** A file to bring back, and what it may replace. */
export interface RestoreRequest {
  /** A real path. */
  readonly path: string;
  /** For people. */
  readonly display: string;
  /** `undefined` if the file did not exist. */
  readonly content: { readonly bytes: Uint8Array; readonly mode: number } | undefined;
  /** What is there now. Anything else is left alone. */
  readonly current: FileState;
}

export type RestoreOutcome =
  | { readonly kind: "restored" }
  /** Another program changed it, or its directory, at the same moment. */
  | { readonly kind: "changed" }
  | { readonly kind: "failed"; readonly code: string };

/** Brings a file back in one step: a crash leaves the present file or the earlier one. Missing directories are created. */
export async function restoreFile(
  request: RestoreRequest,
  disk: Disk = nodeDisk,
): Promise<RestoreOutcome> {
  try {
    return await replaceOrRemove(request, disk);
  } catch (error) {
    if (isFileToolError(error)) return { kind: "changed" };
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { kind: "failed", code };
  }
}

async function replaceOrRemove(
  { path, display, content, current }: RestoreRequest,
  disk: Disk,
): Promise<RestoreOutcome> {
  if (current.kind === "other") return { kind: "changed" };
  const resolved = { path, requested: path, display };
  if (current.kind === "absent") {
    if (content === undefined) return { kind: "restored" };
    const { bytes: text, mode } = content;
    await replaceFile({ resolved, text, mode, previous: undefined }, disk);
    return { kind: "restored" };
  }
  const stats = lstatSync(path);
  const { sha256, bytes } = current;
  const previous = { fingerprint: { sha256, bytes, modifiedMs: stats.mtimeMs }, stats };
  if (content === undefined) await removeFile({ resolved, previous }, disk);
  else await replaceFile({ resolved, text: content.bytes, mode: content.mode, previous }, disk);
  return { kind: "restored" };
}
