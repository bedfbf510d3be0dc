import type { DatabaseSync } from "node:sqlite";
import { withLock } from "@caliban/common/node";
import { PipelineError } from "../../../run/errors.ts";
import type { OnNotice } from "../../../run/notice.ts";
import {
  type FileIdentity,
  makeDirectory,
  moveToBackup,
  prepareDatabaseFile,
} from "./database-file.ts";
import { textOf } from "./row.ts";
import { migrate } from "./schema.ts";
import { explainFailure, isDamage } from "./explain-failure.ts";

/** How long a statement waits for another process. */
const BUSY_TIMEOUT_MS = 5_000;

export interface OpenDatabaseInput {
  readonly path: string;
  /** Called when a damaged file was moved to a backup. */
  readonly onNotice?: OnNotice | undefined;
}

export interface OpenedDatabase {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly identity: FileIdentity;
}

/**
 * Opens the state database; creates it if necessary, and replaces a damaged one. Under a lock: a process that had started
 * to open a file that is moved meanwhile would use the log of the new one.
 * @throws PipelineError `STATE_UNUSABLE`
 */
export async function openDatabase({ path, onNotice }: OpenDatabaseInput): Promise<OpenedDatabase> {
  try {
    makeDirectory(path);
    return await withLock({ path: `${path}.lock` }, async () => {
      return (await openOrUndefined(path)) ?? (await replaceDamaged(path, onNotice));
    });
  } catch (error) {
    throw explainFailure(error, path);
  }
}

async function replaceDamaged(
  path: string,
  onNotice: OpenDatabaseInput["onNotice"],
): Promise<OpenedDatabase> {
  const backup = moveToBackup(path, prepareDatabaseFile(path));
  const created = await openOrUndefined(path);
  if (created === undefined)
    throw new PipelineError(
      "STATE_UNUSABLE",
      `${path} cannot be used: a new file is damaged at once; check the disk`,
    );
  if (backup !== undefined)
    onNotice?.({ code: "STATE_REPLACED", path, message: replacedMessage(path, backup) });
  return created;
}

function replacedMessage(path: string, backup: string): string {
  return `${path} was damaged and moved to ${backup}; past sessions are read again, including those you cleared`;
}

/** `undefined` for a damaged file. */
async function openOrUndefined(path: string): Promise<OpenedDatabase | undefined> {
  const { DatabaseSync } = await import("node:sqlite");
  const identity = prepareDatabaseFile(path);
  const database = new DatabaseSync(path);
  try {
    prepare(database, path);
    return { database, path, identity };
  } catch (error) {
    database.close();
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function prepare(database: DatabaseSync, path: string): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const mode = database.prepare("PRAGMA journal_mode = WAL").get() ?? {};
  if (textOf(mode, "journal_mode") !== "wal")
    throw new PipelineError(
      "STATE_UNUSABLE",
      `${path} cannot be used: the file system does not support write-ahead logging`,
    );
  database.exec("PRAGMA synchronous = NORMAL");
  migrate(database, path);
}
