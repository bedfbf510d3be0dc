import type { SourceFile } from "../../transcript/session-source.ts";
import type { KnownFile, RegistryChanges, ThreadRegistry } from "../../store/pipeline-store.ts";
import { numberOf, optionalTextOf, type Row, textOf } from "./database/row.ts";
import { forgetSession, takeOverSession, type ProjectThread } from "./session-outputs.ts";
import type { StateDatabase, Transaction } from "./database/state-database.ts";

export function createThreadRegistry(database: StateDatabase): ThreadRegistry {
  return {
    known: (project, source) =>
      database.read(({ tuples }) =>
        tuples(
          "SELECT path, mtime_ms, size FROM threads WHERE project = :project AND source = :source",
          { project, source },
        ).map(knownFile),
      ),
    update: (project, changes) => {
      if (changes.found.length === 0 && changes.gone.length === 0) return;
      database.write((transaction) => {
        // Existing files first: a renamed file is found before its old name is removed.
        for (const file of changes.found) recordFound(transaction, { project, changes, file });
        for (const path of changes.gone) recordGone(transaction, { project, changes, path });
      });
    },
  };
}

function knownFile(row: Row): SourceFile {
  return { path: textOf(row, "0"), mtimeMs: numberOf(row, "1"), size: numberOf(row, "2") };
}

interface Change {
  readonly project: string;
  readonly changes: RegistryChanges;
}

function recordFound(
  transaction: Transaction,
  { project, changes, file }: Change & { readonly file: KnownFile },
): void {
  const { source } = changes;
  const { path, mtimeMs, size, kind, threadId } = file;
  const before = threadAt(transaction, { project, source, path });
  // A file that is temporarily unreadable keeps its session, so that it can be forgotten when the file is removed.
  transaction.run(
    `INSERT INTO threads (project, source, path, mtime_ms, size, kind, thread_id)
     VALUES (:project, :source, :path, :mtimeMs, :size, :kind, :threadId)
     ON CONFLICT (project, source, path) DO UPDATE SET
       mtime_ms = excluded.mtime_ms, size = excluded.size, kind = excluded.kind,
       thread_id = coalesce(excluded.thread_id, thread_id)`,
    { project, source, path, mtimeMs, size, kind, threadId: threadId ?? null },
  );
  if (threadId === undefined) return;
  if (before !== undefined && before !== threadId)
    releaseThread(transaction, { project, threadId: before }, changes.forgetGone);
  takeOverSession(transaction, { project, threadId, path });
  // The user excluded the session, so what was learned from it is forgotten.
  if (kind === "opted-out") forgetSession(transaction, { project, threadId });
}

function recordGone(
  transaction: Transaction,
  { project, changes, path }: Change & { readonly path: string },
): void {
  const { source, forgetGone } = changes;
  const threadId = threadAt(transaction, { project, source, path });
  transaction.run(
    "DELETE FROM threads WHERE project = :project AND source = :source AND path = :path",
    { project, source, path },
  );
  if (threadId !== undefined) releaseThread(transaction, { project, threadId }, forgetGone);
}

function threadAt(
  { get }: Transaction,
  file: { readonly project: string; readonly source: string; readonly path: string },
): string | undefined {
  const row = get(
    "SELECT thread_id FROM threads WHERE project = :project AND source = :source AND path = :path",
    file,
  );
  return row === undefined ? undefined : optionalTextOf(row, "thread_id");
}

/** A file of the session is gone; if it was the last one, so is the session. */
function releaseThread(transaction: Transaction, thread: ProjectThread, forgetGone: boolean): void {
  const { project, threadId } = thread;
  const other = transaction.get(
    "SELECT 1 FROM threads WHERE thread_id = :threadId AND project = :project",
    { project, threadId },
  );
  if (other !== undefined) return;
  if (forgetGone) return forgetSession(transaction, thread);
  resetJob(transaction, thread);
}

/** Keeps the record of a finished session, in case the file comes back, and discards failures. */
function resetJob({ run }: Transaction, { project, threadId }: ProjectThread): void {
  const values = { project, threadId };
  run(
    `DELETE FROM jobs WHERE kind = 'extract' AND project = :project AND key = :threadId
       AND done_content_hash IS NULL`,
    values,
  );
  run(
    `UPDATE jobs SET status = 'idle', attempts = 0, postponements = 0, retry_at_ms = NULL
     WHERE kind = 'extract' AND project = :project AND key = :threadId AND status IN ('waiting', 'failed')`,
    values,
  );
}
