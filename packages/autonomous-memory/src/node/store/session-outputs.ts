import type { Extraction } from "../../extraction/extraction.ts";
import { makeDirty } from "./project-state.ts";
import { textOf } from "./database/row.ts";
import type { Transaction } from "./database/state-database.ts";

/** A session in a project. */
export interface ProjectThread {
  readonly project: string;
  readonly threadId: string;
}

export interface NewOutput extends ProjectThread {
  readonly extractorId: string;
  readonly updatedAtMs: number;
  readonly extraction: Extraction;
}

/** Replaces the stored extraction of a session; an empty one removes it. */
export function storeOutput(transaction: Transaction, output: NewOutput): void {
  const { project, threadId, extractorId, updatedAtMs, extraction } = output;
  if (isEmpty(extraction)) return removeOutput(transaction, { project, threadId });
  transaction.run(
    `INSERT INTO stage1_outputs
       (project, thread_id, extractor, rollout_summary, rollout_slug, raw_memory, updated_at_ms, is_new, is_removed, watermark)
     VALUES (:project, :threadId, :extractorId, :summary, :slug, :memory, :updatedAtMs, 1, 0, :watermark)
     ON CONFLICT (project, thread_id) DO UPDATE SET
       extractor = excluded.extractor, rollout_summary = excluded.rollout_summary, rollout_slug = excluded.rollout_slug,
       raw_memory = excluded.raw_memory, updated_at_ms = excluded.updated_at_ms, is_new = 1, is_removed = 0,
       watermark = excluded.watermark`,
    {
      project,
      threadId,
      extractorId,
      updatedAtMs,
      summary: extraction.rolloutSummary,
      slug: extraction.rolloutSlug ?? null,
      memory: extraction.rawMemory,
      watermark: makeDirty(transaction, project),
    },
  );
}

function isEmpty({ rolloutSummary, rawMemory }: Extraction): boolean {
  return rolloutSummary.trim() === "" && rawMemory.trim() === "";
}

/** Marks the extraction of a session as removed, for the next consolidation to see. */
function removeOutput(transaction: Transaction, { project, threadId }: ProjectThread): void {
  const output = transaction.get(
    `SELECT 1 FROM stage1_outputs WHERE project = :project AND thread_id = :threadId AND is_removed = 0`,
    { project, threadId },
  );
  if (output === undefined) return;
  transaction.run(
    `UPDATE stage1_outputs SET is_new = 1, is_removed = 1, watermark = :watermark
     WHERE project = :project AND thread_id = :threadId`,
    { project, threadId, watermark: makeDirty(transaction, project) },
  );
}

/** Forgets that a session was ever read, and marks its extraction as removed. */
export function forgetSession(transaction: Transaction, thread: ProjectThread): void {
  removeOutput(transaction, thread);
  const { project, threadId } = thread;
  transaction.run(
    "DELETE FROM jobs WHERE kind = 'extract' AND project = :project AND key = :threadId",
    { project, threadId },
  );
}

/** Moves a session with its extraction from the projects it was in. */
export function takeOverSession(
  transaction: Transaction,
  { project, threadId, path }: ProjectThread & { readonly path: string },
): void {
  transaction.run(
    "DELETE FROM threads WHERE thread_id = :threadId AND project <> :project AND path <> :path",
    { threadId, project, path },
  );
  const owners = transaction.all(
    `SELECT project FROM jobs WHERE kind = 'extract' AND key = :threadId AND project <> :project
     UNION SELECT project FROM stage1_outputs WHERE thread_id = :threadId AND project <> :project
     EXCEPT SELECT project FROM threads WHERE thread_id = :threadId`,
    { threadId, project },
  );
  for (const owner of owners)
    moveSession(transaction, { project, threadId, from: textOf(owner, "project") });
}

function moveSession(
  transaction: Transaction,
  { project, threadId, from }: ProjectThread & { readonly from: string },
): void {
  const values = { project, threadId, from };
  // A worker that reads it now does so for the wrong project; the attempt does not count.
  transaction.run(
    `UPDATE OR REPLACE jobs SET project = :project,
       attempts = CASE status WHEN 'running' THEN max(attempts - 1, 0) ELSE attempts END,
       status = CASE status WHEN 'running' THEN 'idle' ELSE status END,
       token = NULL, worker = NULL, lease_until_ms = NULL
     WHERE kind = 'extract' AND project = :from AND key = :threadId`,
    values,
  );
  const output = transaction.get(
    "SELECT 1 FROM stage1_outputs WHERE project = :from AND thread_id = :threadId",
    { from, threadId },
  );
  if (output === undefined) return;
  transaction.run(
    `UPDATE OR REPLACE stage1_outputs SET project = :project, is_new = 1, watermark = :watermark
     WHERE project = :from AND thread_id = :threadId`,
    { ...values, watermark: makeDirty(transaction, project) },
  );
}
