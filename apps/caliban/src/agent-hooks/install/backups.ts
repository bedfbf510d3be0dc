import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJsonRecord } from "@caliban/common";
import { hasCode, randomHex } from "@caliban/common/node";

/** A file before and after hooks were added, so that removing them brings back the very same bytes. */
interface Backup {
  readonly path: string;
  /** `null` if there was no file. */
  readonly before: string | null;
  readonly after: string;
}

/** Keeps what a file was before. */
export function saveBackup(stateDirectory: string, backup: Backup): void {
  const file = backupFile(stateDirectory, backup.path);
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomHex(6)}.tmp`;
  writeFileSync(temporary, JSON.stringify(backup), { flag: "wx", mode: 0o600 });
  renameSync(temporary, file);
}

/** What the file was, if it is still as it was left; `null` if there was none, `undefined` if that is not known. */
export function textBefore(
  stateDirectory: string,
  { path, text }: { readonly path: string; readonly text: string },
): string | null | undefined {
  const { before, after, ...kept } = readBackup(backupFile(stateDirectory, path));
  if (kept["path"] !== path || after !== text) return undefined;
  return typeof before === "string" || before === null ? before : undefined;
}

export function removeBackup(stateDirectory: string, path: string): void {
  rmSync(backupFile(stateDirectory, path), { force: true });
}

function readBackup(file: string): Readonly<Record<string, unknown>> {
  try {
    return parseJsonRecord(readFileSync(file, "utf8")) ?? {};
  } catch (error) {
    if (hasCode(error, "ENOENT")) return {};
    throw error;
  }
}

function backupFile(stateDirectory: string, path: string): string {
  const name = createHash("sha256").update(path).digest("hex").slice(0, 32);
  return join(stateDirectory, "backups", `${name}.json`);
}
