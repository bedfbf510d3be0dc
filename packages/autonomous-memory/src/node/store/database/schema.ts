import type { DatabaseSync } from "node:sqlite";
import { PipelineError } from "../../../run/errors.ts";
import { numberOf } from "./row.ts";

/** The steps from each version of the schema to the next; a released step is never changed. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE projects (
    project TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL DEFAULT 0,
    watermark INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;

  CREATE TABLE threads (
    project TEXT NOT NULL,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    mtime_ms INTEGER NOT NULL,
    size INTEGER NOT NULL,
    kind TEXT NOT NULL,
    thread_id TEXT,
    PRIMARY KEY (project, source, path)
  ) WITHOUT ROWID;
  CREATE INDEX threads_by_id ON threads (thread_id, project);
  CREATE INDEX threads_by_time ON threads (project, kind, mtime_ms);

  CREATE TABLE jobs (
    kind TEXT NOT NULL,
    project TEXT NOT NULL,
    key TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'idle',
    worker TEXT,
    token TEXT,
    lease_until_ms INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    postponements INTEGER NOT NULL DEFAULT 0,
    retry_at_ms INTEGER,
    error_class TEXT,
    error_text TEXT,
    updated_at_ms INTEGER NOT NULL DEFAULT 0,
    tried_mtime_ms INTEGER,
    tried_size INTEGER,
    tried_extractor TEXT,
    done_mtime_ms INTEGER,
    done_size INTEGER,
    done_extractor TEXT,
    done_content_hash TEXT,
    done_at_ms INTEGER,
    input_watermark INTEGER NOT NULL DEFAULT 0,
    tried_watermark INTEGER NOT NULL DEFAULT 0,
    success_watermark INTEGER NOT NULL DEFAULT 0,
    forced_watermark INTEGER,
    PRIMARY KEY (kind, project, key)
  ) WITHOUT ROWID;
  CREATE INDEX jobs_by_status ON jobs (project, kind, status);
  CREATE INDEX jobs_by_key ON jobs (key);

  CREATE TABLE stage1_outputs (
    project TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    extractor TEXT NOT NULL,
    rollout_summary TEXT NOT NULL,
    rollout_slug TEXT,
    raw_memory TEXT NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    is_new INTEGER NOT NULL,
    is_removed INTEGER NOT NULL,
    watermark INTEGER NOT NULL,
    PRIMARY KEY (project, thread_id)
  );
  CREATE INDEX stage1_outputs_by_id ON stage1_outputs (thread_id);
  CREATE INDEX stage1_outputs_by_time ON stage1_outputs (project, updated_at_ms);

  CREATE TABLE tombstones (
    thread_id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    cleared_at_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX tombstones_by_project ON tombstones (project);

  CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    trigger TEXT NOT NULL,
    started_at_ms INTEGER NOT NULL,
    finished_at_ms INTEGER,
    outcome TEXT,
    reason TEXT,
    sessions_read INTEGER NOT NULL DEFAULT 0,
    sessions_failed INTEGER NOT NULL DEFAULT 0,
    has_consolidated INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX runs_by_project ON runs (project, id);

  CREATE TABLE spending (
    day TEXT NOT NULL,
    project TEXT NOT NULL,
    requests INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, project)
  ) WITHOUT ROWID;
  `,
  "ALTER TABLE runs ADD COLUMN reason_code TEXT",
];

/**
 * Migrates a database to the newest version.
 * @throws PipelineError `STATE_UNUSABLE` for a database of a newer version
 */
export function migrate(database: DatabaseSync, path: string): void {
  if (versionOf(database, path) === MIGRATIONS.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have done it while this one waited for the lock.
    for (const step of MIGRATIONS.slice(versionOf(database, path))) database.exec(step);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    database.exec("COMMIT");
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}

function versionOf(database: DatabaseSync, path: string): number {
  const version = numberOf(database.prepare("PRAGMA user_version").get() ?? {}, "user_version");
  if (version <= MIGRATIONS.length) return version;
  throw new PipelineError(
    "STATE_UNUSABLE",
    `${path} was written by a newer version of caliban (schema ${version}, supported up to ${MIGRATIONS.length}); update caliban`,
  );
}
