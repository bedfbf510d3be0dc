import type { StoreAdmin } from "../../store/pipeline-store.ts";
import { HAS_CRASHED } from "./job-claims.ts";
import { makeDirty, nextEpoch } from "./project-state.ts";
import { readStats } from "./read-stats.ts";
import { numberOf, textOf } from "./database/row.ts";
import type { StateDatabase, Transaction } from "./database/state-database.ts";

export function createStoreAdmin(database: StateDatabase): StoreAdmin {
  return {
    enqueue: (project, nowMs) =>
      database.write((transaction) => enqueue(transaction, project, nowMs)),
    retry: (project, nowMs) =>
      database.write(({ run }) =>
        run(
          `UPDATE jobs SET ${RESET} WHERE project = :project AND (status IN ('waiting', 'failed') OR ${HAS_CRASHED})`,
          { project, nowMs },
        ),
      ),
    expedite: (project, nowMs) =>
      database.write(({ run }) =>
        run(
          `UPDATE jobs SET retry_at_ms = :nowMs
           WHERE kind = 'extract' AND project = :project AND status = 'waiting' AND retry_at_ms > :nowMs`,
          { project, nowMs },
        ),
      ),
    reread: (project, threadId, beforeMs) =>
      database.write(({ run }) => {
        run(
          `UPDATE jobs SET done_mtime_ms = NULL, done_size = NULL, done_content_hash = NULL
           WHERE kind = 'extract' AND project = :project AND key = :threadId AND done_at_ms <= :beforeMs`,
          { project, threadId, beforeMs },
        );
      }),
    clear: (project, nowMs) => database.write((transaction) => clear(transaction, project, nowMs)),
    projects: () =>
      database.read(({ all }) =>
        all(
          `SELECT project FROM threads UNION SELECT project FROM jobs UNION SELECT project FROM stage1_outputs
           UNION SELECT project FROM runs UNION SELECT project FROM tombstones ORDER BY project`,
        ).map((row) => textOf(row, "project")),
      ),
    stats: (query) => database.read((transaction) => readStats(transaction, query)),
  };
}

const RESET = `status = 'idle', attempts = 0, postponements = 0, retry_at_ms = NULL, error_class = NULL,
  error_text = NULL, token = NULL, worker = NULL, lease_until_ms = NULL, updated_at_ms = :nowMs`;

function enqueue(transaction: Transaction, project: string, nowMs: number): void {
  const watermark = makeDirty(transaction, project);
  const where = "kind = 'consolidate' AND project = :project AND key = ''";
  transaction.run(`UPDATE jobs SET forced_watermark = :watermark WHERE ${where}`, {
    project,
    watermark,
  });
  transaction.run(
    `UPDATE jobs SET ${RESET} WHERE ${where} AND (status IN ('waiting', 'failed') OR ${HAS_CRASHED})`,
    { project, nowMs },
  );
}

function clear(transaction: Transaction, project: string, nowMs: number): number {
  transaction.run(
    `INSERT INTO tombstones (thread_id, project, cleared_at_ms)
     SELECT thread_id, :project, :nowMs FROM (
       SELECT key AS thread_id FROM jobs
       WHERE kind = 'extract' AND project = :project AND (done_at_ms IS NOT NULL OR attempts > 0)
       UNION SELECT thread_id FROM stage1_outputs WHERE project = :project
     ) WHERE true ON CONFLICT (thread_id) DO NOTHING`,
    { project, nowMs },
  );
  transaction.run("DELETE FROM stage1_outputs WHERE project = :project", { project });
  transaction.run("DELETE FROM jobs WHERE project = :project", { project });
  nextEpoch(transaction, project);
  const row = transaction.get(
    "SELECT count(*) AS sessions FROM tombstones WHERE project = :project",
    { project },
  );
  return numberOf(row ?? {}, "sessions");
}
