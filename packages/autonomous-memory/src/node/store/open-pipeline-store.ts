import { existsSync } from "node:fs";
import { requireArguments } from "@caliban/common";
import type { OnNotice } from "../../run/notice.ts";
import type { PipelineStore } from "../../store/pipeline-store.ts";
import { createConsolidationQueue } from "./consolidation-queue.ts";
import { createExtractionQueue } from "./extraction-queue.ts";
import { openDatabase } from "./database/open-database.ts";
import { createRunLedger } from "./run-ledger.ts";
import { createStateDatabase } from "./database/state-database.ts";
import { createStoreAdmin } from "./store-admin.ts";
import { createThreadRegistry } from "./thread-registry.ts";

export interface OpenPipelineStoreInput {
  /** The database file; it and its directory are created if necessary. */
  readonly path: string;
  /** Called when a damaged file was moved to a backup and replaced. */
  readonly onNotice?: OnNotice | undefined;
}

/**
 * Opens the registry and the queues in a SQLite file, for any number of processes at once.
 * @throws PipelineError `STATE_UNUSABLE`, here and from every method, when the file cannot be used
 * @example
 * ```ts
 * import { openPipelineStore } from "@caliban/autonomous-memory/node";
 *
 * const store = await openPipelineStore({ path: "state/memories.sqlite" });
 * console.log(store.admin.projects()); // []
 * store.close();
 * ```
 */
export async function openPipelineStore(input: OpenPipelineStoreInput): Promise<PipelineStore> {
  requireArguments("openPipelineStore", input, ["path"]);
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

/**
 * Opens the store, uses it and closes it; `undefined` when the file does not exist and should not be created.
 * @throws PipelineError `STATE_UNUSABLE` when the file cannot be used
 */
export async function withPipelineStore<Result>(
  { create = false, ...input }: OpenPipelineStoreInput & { readonly create?: boolean | undefined },
  use: (store: PipelineStore) => Result | Promise<Result>,
): Promise<Result | undefined> {
  if (!create && !existsSync(input.path)) return undefined;
  const store = await openPipelineStore(input);
  try {
    return await use(store);
  } finally {
    store.close();
  }
}
