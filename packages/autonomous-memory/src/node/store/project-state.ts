import { numberOf } from "./database/row.ts";
import type { Transaction } from "./database/state-database.ts";

/** The epoch of the project: clearing it starts a new one. */
export function epochOf({ get }: Transaction, project: string): number {
  const row = get("SELECT epoch FROM projects WHERE project = :project", { project });
  return row === undefined ? 0 : numberOf(row, "epoch");
}

/** Starts a new epoch. */
export function nextEpoch({ run }: Transaction, project: string): void {
  run(
    `INSERT INTO projects (project, epoch) VALUES (:project, 1)
     ON CONFLICT (project) DO UPDATE SET epoch = epoch + 1`,
    { project },
  );
}

/** Records a change that a consolidation has to see; returns its number. */
export function makeDirty(transaction: Transaction, project: string): number {
  const row = transaction.get(
    `INSERT INTO projects (project, watermark) VALUES (:project, 1)
     ON CONFLICT (project) DO UPDATE SET watermark = watermark + 1
     RETURNING watermark`,
    { project },
  );
  const watermark = numberOf(row ?? {}, "watermark");
  transaction.run(
    `INSERT INTO jobs (kind, project, key, input_watermark) VALUES ('consolidate', :project, '', :watermark)
     ON CONFLICT (kind, project, key) DO UPDATE SET input_watermark = :watermark`,
    { project, watermark },
  );
  return watermark;
}
