import { errorCode } from "@caliban/common/node";
import { PipelineError, isPipelineError } from "../../../run/errors.ts";

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Causes outside the program, by primary result code. Everything else is a bug. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [3, "permission denied; check the owner of the file and its directory"],
  [BUSY, "it is locked by another process; try again"],
  [LOCKED, "it is locked by another process; try again"],
  [8, "it is read-only; check the permissions of the file and its directory"],
  [10, "the disk reported an error"],
  [CORRUPT, "it is damaged"],
  [13, "the disk is full; free some space"],
  [14, "it cannot be opened; check the owner of the file and its directory"],
  [22, "the file system lacks a required feature"],
  [NOT_A_DATABASE, "it is damaged"],
]);

/** Whether the file is corrupt. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** A failure with an external cause as a `PipelineError`; otherwise the error as it is. */
export function explainFailure(error: unknown, path: string): unknown {
  if (isPipelineError(error)) return error;
  const reason = reasonFor(error);
  if (reason === undefined) return error;
  return new PipelineError("STATE_UNUSABLE", `${path} cannot be used: ${reason}`, { cause: error });
}

function reasonFor(error: unknown): string | undefined {
  const code = resultCode(error);
  if (code !== undefined) return REASONS.get(code);
  const systemCode = errorCode(error);
  if (systemCode === undefined || !/^E[A-Z0-9]+$/.test(systemCode)) return undefined;
  return SYSTEM_REASONS[systemCode] ?? `system error ${systemCode}`;
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied; check the owner of the file and its directory",
  EPERM: "permission denied; check the owner of the file and its directory",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full; free some space",
  EEXIST: "part of its path is not a directory",
  ELOCKED: "it is locked by another process; try again",
  ENOTDIR: "part of its path is not a directory",
};

/** SQLite's primary result code, without the extended part. */
function resultCode(error: unknown): number | undefined {
  if (errorCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  const code: unknown = error instanceof Error ? Reflect.get(error, "errcode") : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}
