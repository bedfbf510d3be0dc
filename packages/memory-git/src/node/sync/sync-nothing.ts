import type { SyncedResult } from "../../team/sync-result.ts";
import type { StateBrief } from "../files/state-brief.ts";
import type { FetchResult } from "../git/repository.ts";
import type { SyncContext } from "./sync.ts";

/** The result if neither side has anything new; most syncs are such. It does not read the state. */
export async function syncNothing(
  { files, now }: Pick<SyncContext, "files" | "now">,
  brief: StateBrief | undefined,
  fetched: FetchResult,
): Promise<SyncedResult | undefined> {
  const head = fetched.kind === "head" ? fetched.head : undefined;
  const isSame = fetched.kind === "head" || fetched.kind === "none";
  if (brief?.isQuiet !== true || !isSame || brief.head !== head) return undefined;
  if (files.listPending().length > 0) return undefined;
  await files.writeSyncTime(now());
  const conflicts = files.listConflicts();
  return {
    kind: "synced",
    head,
    received: [],
    sent: [],
    unsent: [],
    conflicts,
    waiting: [],
    refused: [],
  };
}
