import * as fc from "fast-check";
import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import type {
  DueQuery,
  ExtractionClaim,
  PipelineStore,
} from "../../../src/store/pipeline-store.ts";
import { MAX_ATTEMPTS } from "../../../src/store/pipeline-store.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import { databasePath, extracted, query, session } from "./store-fixture.ts";

const LEASE = 3;
const EXTRACTORS: Readonly<Record<string, readonly string[]>> = { weak: [], strong: ["weak"] };

/** A session in the simple model. */
interface ModelSession {
  content: number;
  isCleared: boolean;
  done: { readonly content: number; readonly extractor: string } | undefined;
  tried: { readonly content: number; readonly extractor: string } | undefined;
  attempts: number;
  retryAt: number;
  isGivenUp: boolean;
  holder: { readonly claim: ExtractionClaim; readonly until: number } | undefined;
}

interface World {
  now: number;
  readonly sessions: Map<string, ModelSession>;
  /** Every claim ever made, with its purpose. */
  readonly claims: { readonly claim: ExtractionClaim; readonly extractor: string }[];
  readonly extractions: string[];
}

type Command =
  | { readonly kind: "claim"; readonly extractor: string }
  | {
      readonly kind: "finish";
      readonly claim: number;
      readonly outcome: "extracted" | "failed" | "postponed" | "released";
    }
  | { readonly kind: "heartbeat"; readonly claim: number }
  | { readonly kind: "change"; readonly id: string }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "retry" }
  | { readonly kind: "clear" };

const claimNumber = fc.nat({ max: 5 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("claim"),
      extractor: fc.constantFrom("weak", "strong"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("finish"),
      claim: claimNumber,
      outcome: fc.constantFrom("extracted", "failed", "postponed", "released"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("heartbeat"), claim: claimNumber }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("change"), id: fc.constantFrom("a", "b", "c") }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("pass"), ms: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "retry" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "clear" }) },
);

it(
  "agrees with a simple model on who may read what, whatever happens",
  { timeout: 60_000 },
  async () => {
    const path = await databasePath();
    const repeated: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
        for (const suffix of ["", "-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
        const store = await openPipelineStore({ path });
        try {
          const world = begin(store);
          for (const each of commands) step(store, world, each);
          repeated.push(...world.extractions.filter((each, at, all) => all.indexOf(each) !== at));
        } finally {
          store.close();
        }
      }),
      { numRuns: 100 },
    );
    expect(repeated).toEqual([]);
  },
);

function begin(store: PipelineStore): World {
  const world: World = { now: 1_000, sessions: new Map(), claims: [], extractions: [] };
  for (const id of ["a", "b", "c"]) {
    world.sessions.set(id, {
      content: 0,
      isCleared: false,
      done: undefined,
      tried: undefined,
      attempts: 0,
      retryAt: 0,
      isGivenUp: false,
      holder: undefined,
    });
    tell(store, world, id);
  }
  return world;
}

function tell(store: PipelineStore, world: World, id: string): void {
  const file = session(id, { mtimeMs: 1, size: modelOf(world, id).content });
  store.registry.update("p", { source: "caliban", found: [file], gone: [], forgetGone: true });
}

function modelOf(world: World, id: string): ModelSession {
  const model = world.sessions.get(id);
  if (model === undefined) throw new Error(`there is no ${id}`);
  return model;
}

function asked(world: World, extractor: string): DueQuery {
  const replaces = EXTRACTORS[extractor] ?? [];
  return query({
    nowMs: world.now,
    idleSinceMs: world.now,
    notBeforeMs: 0,
    extractor: { id: extractor, replaces },
  });
}

function isDue(world: World, model: ModelSession, extractor: string): boolean {
  const replaces = EXTRACTORS[extractor] ?? [];
  const isLike = (past: ModelSession["done"]): boolean =>
    past !== undefined && past.content === model.content && !replaces.includes(past.extractor);
  if (model.isCleared || (model.holder !== undefined && model.holder.until > world.now))
    return false;
  if (isLike(model.done)) return false;
  if (!isLike(model.tried)) return true;
  const hasCrashed = model.holder !== undefined && model.attempts >= MAX_ATTEMPTS;
  return !model.isGivenUp && !hasCrashed && model.retryAt <= world.now;
}

function step(store: PipelineStore, world: World, each: Command): void {
  switch (each.kind) {
    case "claim":
      return claimStep(store, world, each.extractor);
    case "finish":
      return finishStep(store, world, each);
    case "heartbeat":
      return heartbeatStep(store, world, each.claim);
    case "change": {
      modelOf(world, each.id).content += 1;
      return tell(store, world, each.id);
    }
    case "pass":
      world.now += each.ms;
      return;
    case "retry":
      store.admin.retry("p", world.now);
      for (const model of world.sessions.values()) renew(world, model);
      return;
    case "clear":
      store.admin.clear("p", world.now);
      for (const model of world.sessions.values()) {
        model.isCleared ||= model.done !== undefined || model.attempts > 0;
        const forgotten = { done: undefined, tried: undefined, attempts: 0, retryAt: 0 };
        Object.assign(model, forgotten, { isGivenUp: false, holder: undefined });
      }
  }
}

function renew(world: World, model: ModelSession): void {
  const hasLease = model.holder !== undefined && model.holder.until > world.now;
  const hasCrashed = model.holder !== undefined && !hasLease && model.attempts >= MAX_ATTEMPTS;
  if (model.holder !== undefined && !hasCrashed) return;
  Object.assign(model, { attempts: 0, retryAt: 0, isGivenUp: false, holder: undefined });
}

function claimStep(store: PipelineStore, world: World, extractor: string): void {
  const due = [...world.sessions].filter(([, model]) => isDue(world, model, extractor));
  const ids = due.map(([id]) => id);
  expect(store.extractions.count(asked(world, extractor)).due).toBe(ids.length);
  const token = `t${world.claims.length}`;
  const claim = store.extractions.claim(asked(world, extractor), {
    worker: "w",
    token,
    leaseMs: LEASE,
  });
  // A claim gives up sessions that crashed too often, even if it returns another one.
  for (const model of world.sessions.values()) giveUp(world, model);
  if (claim === undefined) {
    expect(ids).toEqual([]);
    return;
  }
  expect(ids).toContain(claim.threadId);
  const model = modelOf(world, claim.threadId);
  const isFresh =
    model.tried === undefined ||
    model.tried.content !== model.content ||
    (EXTRACTORS[extractor] ?? []).includes(model.tried.extractor);
  model.attempts = isFresh ? 1 : model.attempts + 1;
  expect(model.attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
  Object.assign(model, {
    isGivenUp: false,
    retryAt: 0,
    tried: { content: model.content, extractor },
    holder: { claim, until: world.now + LEASE },
  });
  world.claims.push({ claim, extractor });
}

function giveUp(world: World, model: ModelSession): void {
  if (model.holder === undefined || model.holder.until > world.now) return;
  if (model.attempts < MAX_ATTEMPTS) return;
  Object.assign(model, { isGivenUp: true, holder: undefined });
}

function finishStep(
  store: PipelineStore,
  world: World,
  { claim: number, outcome }: Extract<Command, { kind: "finish" }>,
): void {
  const taken = world.claims.at(-1 - number);
  if (taken === undefined) return;
  const { claim, extractor } = taken;
  const model = modelOf(world, claim.threadId);
  const isHeld = model.holder?.claim.token === claim.token;
  const why = { errorClass: "permanent", message: "no use", retryAtMs: world.now + 2 } as const;
  const given =
    outcome === "extracted"
      ? { ...extracted("learned", `${claim.file.size}`), extractorId: extractor }
      : outcome === "released"
        ? ({ kind: "released" } as const)
        : ({ kind: outcome, ...why } as const);
  expect(store.extractions.finish(claim, given, world.now)).toBe(isHeld);
  if (!isHeld) return;
  model.holder = undefined;
  if (outcome === "extracted") {
    const extraction = `${claim.threadId} ${claim.file.size} ${extractor}`;
    world.extractions.push(extraction);
    Object.assign(model, { done: { content: claim.file.size, extractor }, attempts: 0 });
    return;
  }
  model.isGivenUp = outcome === "failed" && model.attempts >= MAX_ATTEMPTS;
  if (outcome !== "failed") model.attempts -= 1;
  model.retryAt = outcome === "released" || model.isGivenUp ? 0 : world.now + 2;
}

function heartbeatStep(store: PipelineStore, world: World, number: number): void {
  const taken = world.claims.at(-1 - number);
  if (taken === undefined) return;
  const model = modelOf(world, taken.claim.threadId);
  const isHeld = model.holder?.claim.token === taken.claim.token;
  expect(store.extractions.heartbeat(taken.claim, world.now, LEASE)).toBe(isHeld);
  if (isHeld) model.holder = { claim: taken.claim, until: world.now + LEASE };
}
