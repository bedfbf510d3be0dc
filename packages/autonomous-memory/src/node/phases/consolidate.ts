import { estimateTokens } from "@caliban/common";
import { classifyError } from "../../classify-error.ts";
import type { Completion } from "../../complete.ts";
import { consolidationRequest } from "../../consolidation/consolidation-request.ts";
import type {
  ConsolidatedMemory,
  ConsolidationTask,
} from "../../consolidation/consolidation-task.ts";
import { withNotShown } from "../../consolidation/fit-previous.ts";
import { parseConsolidation } from "../../consolidation/parse-consolidation.ts";
import { PipelineError } from "../../errors.ts";
import type { CurrentGeneration } from "../../generation/generations.ts";
import type {
  ConsolidationClaim,
  ConsolidationOutcome,
  SeenExtraction,
} from "../../store/pipeline-store.ts";
import type { StoredExtraction } from "../../store/stored-extraction.ts";
import { redactText } from "../transcript/redact-text.ts";
import { ask, type Asked } from "./ask.ts";
import { uselessAnswer } from "./useless-answer.ts";
import { holdClaim } from "./hold-claim.ts";
import { noteFailure } from "./note-failure.ts";
import { releasedOnThrow } from "./released-on-throw.ts";
import { endRun, hasEnded, newLease, type PipelineRun } from "./pipeline-parts.ts";
import { inputTokens, smallerInput } from "./smaller-input.ts";
import { memoryWithoutSecrets } from "./memory-without-secrets.ts";

/** More rounds than this are for the next start: each asks a model. */
const MOST_ROUNDS = 4;

/** Consolidates until everything has been seen, when it is this process's turn. With nothing new, no model is asked. */
export async function consolidate(run: PipelineRun): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS && !hasEnded(run); round++) {
    const claim = claimTurn(run);
    if (claim === undefined) return;
    // oxlint-disable-next-line no-await-in-loop -- each round begins with what the one before has made
    await consolidateOnce(run, claim);
  }
}

function claimTurn(run: PipelineRun): ConsolidationClaim | undefined {
  const { store, clock, project, settings, tally } = run;
  const lease = newLease(run, settings.phase2LeaseSeconds);
  const turn = store.consolidations.claim(project, clock.nowMs(), lease);
  switch (turn.kind) {
    case "claimed":
      return turn.claim;
    case "waiting":
    case "given-up":
      tally.notices.push(`the memory was not brought up to date: ${turn.sentence}`);
      return undefined;
    case "clean":
    case "running":
    case "extracting":
      return undefined;
  }
}

async function consolidateOnce(run: PipelineRun, claim: ConsolidationClaim): Promise<void> {
  const { store, clock, settings } = run;
  const leaseMs = settings.phase2LeaseSeconds * 1_000;
  const held = holdClaim({
    clock,
    leaseMs,
    beat: () => store.consolidations.heartbeat(claim, clock.nowMs(), leaseMs),
  });
  try {
    const outcome = await releasedOnThrow(outcomeOf(run, claim, held.lost), () =>
      store.consolidations.finish(claim, { kind: "released" }, clock.nowMs()),
    );
    const isKept = outcome !== "lost" && store.consolidations.finish(claim, outcome, clock.nowMs());
    // Where it is still ours, somebody went back to another memory meanwhile: the next start begins with that.
    if (outcome === "lost") store.consolidations.finish(claim, { kind: "released" }, clock.nowMs());
    if (!isKept) run.tally.notices.push(LOST);
    else if (outcome.kind === "failed" || outcome.kind === "postponed")
      endRun(run, {
        outcome: "failed",
        reason: `the memory was not brought up to date: ${outcome.sentence}`,
      });
  } finally {
    held.letGo();
  }
}

const LOST =
  "another process took over, or the memory was cleared or undone meanwhile, so what was consolidated here was thrown away";

type Outcome = ConsolidationOutcome | "lost";

async function outcomeOf(
  run: PipelineRun,
  claim: ConsolidationClaim,
  lost: AbortSignal,
): Promise<Outcome> {
  const { store, project, settings, tally, onEvent } = run;
  const current = await readCurrent(run);
  if (current instanceof PipelineError) return await memoryFailure(run, claim, current);
  const stored = store.consolidations.extractions(project, settings.maxRawMemories);
  const task = taskOf(run, { claim, current, stored });
  // Nothing to add and nothing to take away: what exists stays, whatever it is.
  if (task.added.length === 0 && task.removed.length === 0) return { kind: "done", seen: stored };
  onEvent?.({ type: "consolidation-start", extractions: task.added.length });
  const answered = await askForMemory(run, task, lost);
  if (answered.kind === "lost") return "lost";
  if (answered.kind === "stopped") return { kind: "released" };
  if (answered.kind === "failed")
    return await noteFailure(run, answered.failure, claim.postponements);
  tally.failuresInARow = 0;
  return await writeGeneration(run, { claim, task, current, stored, answered });
}

/** @throws nothing that a person can mend: unknown is not empty, so it ends the consolidation. */
async function readCurrent({
  generations,
}: PipelineRun): Promise<CurrentGeneration | PipelineError | undefined> {
  try {
    return await generations.read();
  } catch (error) {
    if (error instanceof PipelineError) return error;
    throw error;
  }
}

async function memoryFailure(
  run: PipelineRun,
  { postponements }: ConsolidationClaim,
  error: PipelineError,
): Promise<ConsolidationOutcome> {
  return await noteFailure(run, classifyError(error), postponements);
}

function taskOf(
  { clock }: PipelineRun,
  {
    claim,
    current,
    stored,
  }: {
    readonly claim: ConsolidationClaim;
    readonly current: CurrentGeneration | undefined;
    readonly stored: readonly StoredExtraction[];
  },
): ConsolidationTask {
  const isAll = claim.isForced || current === undefined;
  return {
    kind: "consolidate",
    today: new Date(clock.nowMs()).toISOString().slice(0, 10),
    previous: current,
    added: stored.filter(
      ({ isRemoved, isNew, rawMemory }) => !isRemoved && rawMemory !== "" && (isAll || isNew),
    ),
    // Without a memory there is nothing that could be taken out of it.
    removed: current === undefined ? [] : stored.filter(({ isRemoved }) => isRemoved),
  };
}

interface AnsweredMemory {
  readonly kind: "memory";
  readonly memory: ConsolidatedMemory;
  readonly seen: readonly SeenExtraction[];
}

async function askForMemory(
  run: PipelineRun,
  task: ConsolidationTask,
  lost: AbortSignal,
): Promise<AnsweredMemory | Exclude<Asked, { kind: "answered" }>> {
  return await smallerInput<AnsweredMemory>(inputTokens(run, "smol"), async (maxTokens) => {
    const { system, schema, seen, notShown, ...request } = consolidationRequest(task, maxTokens);
    // A person may have typed a secret into the memory by hand.
    const input = (await redactText(request.input)).text;
    const asked = await ask(run, { role: "smol", system, input, schema, task }, lost);
    const usedTokens = estimateTokens(input);
    if (asked.kind !== "answered") return { asked, usedTokens };
    const parsed = parseConsolidation(asked.completion.text);
    if (parsed.kind !== "memory")
      return { asked: failed(asked.completion, parsed.sentence), usedTokens };
    // What the model was not shown it could not give back.
    const memory = withNotShown(parsed.memory, notShown);
    return { asked: { kind: "memory", memory, seen }, usedTokens };
  });
}

function failed(completion: Completion, sentence: string): Extract<Asked, { kind: "failed" }> {
  return { kind: "failed", failure: uselessAnswer(completion, sentence) };
}

async function writeGeneration(
  run: PipelineRun,
  {
    claim,
    task,
    current,
    stored,
    answered,
  }: {
    readonly claim: ConsolidationClaim;
    readonly current: CurrentGeneration | undefined;
    readonly task: ConsolidationTask;
    readonly stored: readonly StoredExtraction[];
    readonly answered: AnsweredMemory;
  },
): Promise<Outcome> {
  const { store, clock, generations, tally } = run;
  try {
    const written = await generations.write({
      memory: await memoryWithoutSecrets(answered.memory),
      basedOn: { number: current?.number },
      extractions: stored.filter(({ isRemoved }) => !isRemoved),
      nowMs: clock.nowMs(),
      isStillOurs: () => store.consolidations.isOurs(claim, clock.nowMs()),
    });
    if (written.kind === "lost") return "lost";
    tally.generation = written.number;
    tally.notices.push(...written.notices);
    // Before the first memory nothing could be taken out for the removed ones; after it, nothing is left of them.
    const removed = task.previous === undefined ? stored.filter(({ isRemoved }) => isRemoved) : [];
    return { kind: "done", seen: [...answered.seen, ...removed] };
  } catch (error) {
    if (error instanceof PipelineError) return await memoryFailure(run, claim, error);
    throw error;
  }
}
