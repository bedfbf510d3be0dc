import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import type { Extraction } from "../../../src/extraction/extraction.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import type {
  ConsolidationClaim,
  DueQuery,
  ExtractionClaim,
  ExtractionOutcome,
  KnownFile,
  Lease,
  PipelineStore,
} from "../../../src/store/pipeline-store.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** 2026-11-16, 12:00 UTC. */
export const NOW = Date.UTC(2026, 10, 16, 12);
export const LEASE_MS = 120_000;

export async function databasePath(): Promise<string> {
  return join(await temporaryDirectory(), "state", "memories.sqlite");
}

export async function openStore(path?: string): Promise<PipelineStore> {
  const store = await openPipelineStore({ path: path ?? (await databasePath()) });
  onTestFinished(() => store.close());
  return store;
}

export function query(changes: Partial<DueQuery> = {}): DueQuery {
  const nowMs = changes.nowMs ?? NOW;
  return {
    project: "p",
    sources: ["caliban"],
    nowMs,
    idleSinceMs: nowMs - 12 * HOUR,
    notBeforeMs: nowMs - 30 * DAY,
    running: [],
    extractor: { id: "x", replaces: [] },
    ...changes,
  };
}

export function session(id: string, changes: Partial<KnownFile> = {}): KnownFile {
  return {
    path: `/s/${id}.jsonl`,
    mtimeMs: NOW - DAY,
    size: 1,
    kind: "session",
    threadId: id,
    ...changes,
  };
}

export function register(
  store: PipelineStore,
  files: readonly KnownFile[],
  project = "p",
  source = "caliban",
): void {
  store.registry.update(project, { source, found: files, gone: [], forgetGone: true });
}

export function remove(store: PipelineStore, path: string, forgetGone: boolean): void {
  store.registry.update("p", { source: "caliban", found: [], gone: [path], forgetGone });
}

let tokens = 0;
export function lease(leaseMs = LEASE_MS): Lease {
  tokens += 1;
  return { worker: "w", token: `token-${tokens}`, leaseMs };
}

export function claim(
  store: PipelineStore,
  changes: Partial<DueQuery> = {},
): ExtractionClaim | undefined {
  return store.extractions.claim(query(changes), lease());
}

export function mustClaim(store: PipelineStore, changes: Partial<DueQuery> = {}): ExtractionClaim {
  const claimed = claim(store, changes);
  if (claimed === undefined) throw new Error("nothing is due");
  return claimed;
}

function extraction(text: string): Extraction {
  return { rolloutSummary: text, rolloutSlug: undefined, rawMemory: text };
}

export function extracted(
  text: string,
  contentHash = "h",
): Extract<ExtractionOutcome, { kind: "extracted" }> {
  return { kind: "extracted", contentHash, extractorId: "x", extraction: extraction(text) };
}

/** Reads one session from its claim to its end. */
export function extract(
  store: PipelineStore,
  text: string,
  changes: Partial<DueQuery> = {},
): ExtractionClaim {
  const claimed = mustClaim(store, changes);
  const { nowMs, extractor } = query(changes);
  store.extractions.finish(claimed, { ...extracted(text), extractorId: extractor.id }, nowMs);
  return claimed;
}

export function claimConsolidation(store: PipelineStore, nowMs = NOW, project = "p") {
  return store.consolidations.claim(project, nowMs, lease());
}

export function mustConsolidate(
  store: PipelineStore,
  nowMs = NOW,
  project = "p",
): ConsolidationClaim {
  const taken = claimConsolidation(store, nowMs, project);
  if (taken.kind !== "claimed") throw new Error(`it is ${taken.kind}`);
  return taken.claim;
}

/** Consolidates all extractions. */
export function consolidate(store: PipelineStore, project = "p"): void {
  const claimed = mustConsolidate(store, NOW, project);
  const seen = store.consolidations.extractions(project, 100);
  store.consolidations.finish(claimed, { kind: "done", seen }, NOW);
}
