import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";

// Opens a store and claims all sessions it can get. Started by processes.test.ts.
const [path = "", nowMs = "", mode = ""] = process.argv.slice(2);
const store = await openPipelineStore({ path });
const query = {
  project: "p",
  sources: ["caliban"],
  nowMs: Number(nowMs),
  idleSinceMs: Number(nowMs),
  notBeforeMs: 0,
  running: [],
  extractor: { id: "x", replaces: [] },
};
const got: string[] = [];
for (;;) {
  const lease = { worker: `${process.pid}`, token: crypto.randomUUID(), leaseMs: 120_000 };
  const claim = store.extractions.claim(query, lease);
  if (claim === undefined) break;
  // Between the claim and its end, as in a power failure.
  if (mode === "die") process.kill(process.pid, "SIGKILL");
  const extraction = { rolloutSummary: "s", rolloutSlug: undefined, rawMemory: "m" };
  const outcome = { kind: "extracted", contentHash: "h", extractorId: "x", extraction } as const;
  if (store.extractions.finish(claim, outcome, query.nowMs)) got.push(claim.threadId);
}
store.close();
process.stdout.write(JSON.stringify(got));
