import type { PipelineStore } from "../../store/pipeline-store.ts";
import { createConsolidationQueue } from "./consolidation-queue.ts";
import { createExtractionQueue } from "./extraction-queue.ts";
import { openDatabase } from "./open-database.ts";
import { createRunLedger } from "./run-ledger.ts";
import { createStateDatabase } from "./state-database.ts";
import { createStoreAdmin } from "./store-admin.ts";
import { createThreadRegistry } from "./thread-registry.ts";

export interface OpenPipelineStoreInput {
  /** The database file; it and its directory are made when they are missing. */
  readonly path: string;
  /** Is told in a sentence when a damaged file was put aside and a new one begun. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/**
 * The registry and the queue in a SQLite file, for any number of processes at once.
 * @throws PipelineError `STATE_UNUSABLE`, here and from every method, when the machine refuses the file
 */
export async function openPipelineStore(input: OpenPipelineStoreInput): Promise<PipelineStore> {
  const database = createStateDatabase(await openDatabase(input));
  return {
    registry: createThreadRegistry(database),
    extractions: createExtractionQueue(database),
    consolidations: createConsolidationQueue(database),
    ledger: createRunLedger(database),
    admin: createStoreAdmin(database),
    close: database.close,
  };
}
