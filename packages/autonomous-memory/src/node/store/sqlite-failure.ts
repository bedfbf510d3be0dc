import { errorCode } from "@caliban/common/node";
import { PipelineError } from "../../errors.ts";

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** By primary result code: what the machine refuses. Everything else is a fault of ours. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [3, "permission denied; check who owns it and its directory"],
  [BUSY, "another process keeps it locked; try again"],
  [LOCKED, "another process keeps it locked; try again"],
  [8, "it is read-only; check its mode, its directory and the disk"],
  [10, "the disk failed"],
  [CORRUPT, "it is damaged"],
  [13, "the disk is full; make room"],
  [14, "the system does not open it; check who owns it and its directory"],
  [22, "the file system lacks what is needed for it"],
  [NOT_A_DATABASE, "it is damaged"],
]);

/** Whether the content of the file is not what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** The same failure for people, when it is one of the machine; otherwise the error as it is. */
export function explained(error: unknown, path: string): unknown {
  if (error instanceof PipelineError) return error;
  const reason = reasonFor(error);
  if (reason === undefined) return error;
  return new PipelineError("STATE_UNUSABLE", `${path} cannot be used: ${reason}`, { cause: error });
}

function reasonFor(error: unknown): string | undefined {
  const code = resultCode(error);
  if (code !== undefined) return REASONS.get(code);
  const systemCode = errorCode(error);
  if (systemCode === undefined || !/^E[A-Z0-9]+$/.test(systemCode)) return undefined;
  return SYSTEM_REASONS[systemCode] ?? `the system says ${systemCode}`;
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied; check who owns it and its directory",
  EPERM: "permission denied; check who owns it and its directory",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full; make room",
  EEXIST: "something on the way to it is no directory",
  ELOCKED: "another process keeps it locked; try again",
  ENOTDIR: "something on the way to it is no directory",
};

/** SQLite's own number without what it adds to it. */
function resultCode(error: unknown): number | undefined {
  if (errorCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  const code: unknown = error instanceof Error ? Reflect.get(error, "errcode") : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}
