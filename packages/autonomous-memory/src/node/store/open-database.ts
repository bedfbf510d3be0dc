import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { withLock } from "@caliban/common/node";
import { PipelineError } from "../../errors.ts";
import { type FileIdentity, moveAside, prepareDatabaseFile } from "./database-file.ts";
import { textOf } from "./row.ts";
import { migrate } from "./schema.ts";
import { explained, isBusy, isDamage } from "./sqlite-failure.ts";

/** How long a statement waits for another process, and the opening for its turn. */
const PATIENCE_MS = 5_000;
const POLL_MS = 10;

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

/** Opens the state, made new where there is none and put aside where it is damaged. @throws PipelineError `STATE_UNUSABLE` */
export async function openDatabase({ path, onNotice }: OpenDatabaseInput): Promise<OpenedDatabase> {
  try {
    return (await openOrUndefined(path)) ?? (await replaceDamaged(path, onNotice));
  } catch (error) {
    throw explained(error, path);
  }
}

/** Under a lock, so that of two processes that find the damage the second does not put aside what the first has made. */
async function replaceDamaged(
  path: string,
  onNotice: OpenDatabaseInput["onNotice"],
): Promise<OpenedDatabase> {
  return await withLock({ path: `${path}.lock` }, async () => {
    const opened = await openOrUndefined(path);
    if (opened !== undefined) return opened;
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
  });
}

/** `undefined` for a damaged file. */
async function openOrUndefined(path: string): Promise<OpenedDatabase | undefined> {
  const { DatabaseSync } = await import("node:sqlite");
  const identity = prepareDatabaseFile(path);
  const database = new DatabaseSync(path);
  try {
    await makeReady(database, path);
    return { database, path, identity };
  } catch (error) {
    database.close();
    if (isDamage(error)) return undefined;
    throw error;
  }
}

async function makeReady(database: DatabaseSync, path: string): Promise<void> {
  database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  await switchToLog(database);
  database.exec("PRAGMA synchronous = NORMAL");
  migrate(database, path);
}

/** Of several that do it at the same instant, SQLite refuses all but one at once, whatever the time-out says. */
async function switchToLog(database: DatabaseSync): Promise<void> {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const mode = database.prepare("PRAGMA journal_mode = WAL").get() ?? {};
      if (textOf(mode, "journal_mode") === "wal") return;
      throw new PipelineError(
        "STATE_UNUSABLE",
        "the file system cannot hold the state database: it has no write-ahead log",
      );
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAtMs) throw error;
    }
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await delay(POLL_MS * (0.5 + Math.random()));
  }
}
