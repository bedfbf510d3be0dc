import type { DatabaseSync } from "node:sqlite";
import { withLock } from "@caliban/common/node";
import { PipelineError } from "../../errors.ts";
import {
  type FileIdentity,
  makeDirectory,
  moveAside,
  prepareDatabaseFile,
} from "./database-file.ts";
import { textOf } from "./row.ts";
import { migrate } from "./schema.ts";
import { explained, isDamage } from "./sqlite-failure.ts";

/** How long a statement waits for another process. */
const PATIENCE_MS = 5_000;

export interface OpenDatabaseInput {
  readonly path: string;
  /** Is told in a sentence when a damaged file was put aside. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

export interface OpenedDatabase {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly identity: FileIdentity;
}

/**
 * Opens the state, made new where there is none and put aside where it is damaged. One at a time: who has begun to open
 * a file that is put aside meanwhile would take the log of the new one for its own.
 * @throws PipelineError `STATE_UNUSABLE`
 */
export async function openDatabase({ path, onNotice }: OpenDatabaseInput): Promise<OpenedDatabase> {
  try {
    makeDirectory(path);
    return await withLock({ path: `${path}.lock` }, async () => {
      return (await openOrUndefined(path)) ?? (await replaceDamaged(path, onNotice));
    });
  } catch (error) {
    throw explained(error, path);
  }
}

async function replaceDamaged(
  path: string,
  onNotice: OpenDatabaseInput["onNotice"],
): Promise<OpenedDatabase> {
  const aside = moveAside(path, prepareDatabaseFile(path));
  const fresh = await openOrUndefined(path);
  if (fresh === undefined)
    throw new PipelineError(
      "STATE_UNUSABLE",
      `${path} cannot be used: a new file there is damaged at once; check the disk`,
    );
  if (aside !== undefined)
    onNotice?.(
      `${path} was damaged, so it was moved to ${aside} and begun anew: past sessions are read again, also those whose memory was cleared`,
    );
  return fresh;
}

/** `undefined` for a damaged file. */
async function openOrUndefined(path: string): Promise<OpenedDatabase | undefined> {
  const { DatabaseSync } = await import("node:sqlite");
  const identity = prepareDatabaseFile(path);
  const database = new DatabaseSync(path);
  try {
    makeReady(database, path);
    return { database, path, identity };
  } catch (error) {
    database.close();
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function makeReady(database: DatabaseSync, path: string): void {
  database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  const mode = database.prepare("PRAGMA journal_mode = WAL").get() ?? {};
  if (textOf(mode, "journal_mode") !== "wal")
    throw new PipelineError(
      "STATE_UNUSABLE",
      `${path} cannot be used: the file system does not bear a write-ahead log`,
    );
  database.exec("PRAGMA synchronous = NORMAL");
  migrate(database, path);
}
