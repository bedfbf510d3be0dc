import { estimateTokens } from "@caliban/common";
import { classifyError } from "../../run/classify-error.ts";
import { consolidationRequest } from "../../consolidation/consolidation-request.ts";
import type { ConsolidationTask } from "../../consolidation/consolidation-task.ts";
import { restoreOmitted } from "../../consolidation/fit-previous.ts";
import { parseConsolidation } from "../../consolidation/parse-consolidation.ts";
import { isPipelineError, PipelineError } from "../../run/errors.ts";
import type { SeenExtraction, StoredExtraction } from "../../extraction/extraction.ts";
import { examQuestions } from "../../exam/questions.ts";
import { takeExam } from "../../exam/take-exam.ts";
import type { CurrentGeneration, NewGeneration } from "../../generation/generations.ts";
import type { ConsolidatedMemory } from "../../generation/memory.ts";
import type { ConsolidationClaim, ConsolidationOutcome } from "../../store/pipeline-store.ts";
import { redactText } from "../transcript/redact-text.ts";
import { askModel, type NoReply, unusableAnswer } from "./ask-model.ts";
import { holdClaim } from "./hold-claim.ts";
import { endRun, hasEnded, newLease, type PipelineRun } from "./pipeline-run.ts";
import { recordFailure } from "./record-failure.ts";
import {
  isUnwanted,
  previousMemory,
  removeForgotten,
  withoutForgotten,
} from "./remove-forgotten.ts";
import { stripMemory } from "../../forgotten/strip-memory.ts";
import { redactMemory } from "./redact-output.ts";
import { maxInputTokens, shrinkOnOverflow } from "./shrink-input.ts";

/** Each round sends a request; more rounds are left to the next run. */
const MAX_ROUNDS = 4;

/** Consolidates until every extraction has been seen, if it is this process's turn. Without new ones, no request is sent. */
export async function consolidate(run: PipelineRun): Promise<void> {
  const current = run.forgotten === undefined ? undefined : await readCurrent(run);
  if (!isPipelineError(current)) await removeForgotten(run, current);
  for (let round = 0; round < MAX_ROUNDS && !hasEnded(run); round++) {
    const claim = claimProject(run);
    if (claim === undefined) return;
    await consolidateOnce(run, claim);
  }
}

function claimProject(run: PipelineRun): ConsolidationClaim | undefined {
  const { store, clock, project, settings, tally } = run;
  const lease = newLease(run, settings.phase2LeaseSeconds);
  const result = store.consolidations.claim(project, clock.nowMs(), lease);
  switch (result.kind) {
    case "claimed":
      return result.claim;
    case "waiting":
    case "given-up":
      tally.notices.push({ code: "NOT_UPDATED", message: notUpdated(result.message) });
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
  const finish = (outcome: ConsolidationOutcome): boolean =>
    store.consolidations.finish(claim, outcome, clock.nowMs());
  const outcome = await holdClaim({
    clock,
    leaseMs,
    heartbeat: () => store.consolidations.heartbeat(claim, clock.nowMs(), leaseMs),
    work: (lost) => updateMemory(run, claim, lost),
    release: () => finish({ kind: "released" }),
  });
  const isKept = outcome !== "lost" && finish(outcome);
  // If the claim is still held, the user switched to another generation meanwhile: the next run starts from that one.
  if (outcome === "lost") finish({ kind: "released" });
  if (!isKept) run.tally.notices.push({ code: "NOT_UPDATED", message: DISCARDED });
  else if (outcome.kind === "failed" || outcome.kind === "postponed")
    endRun(run, {
      outcome: "failed",
      reason: notUpdated(outcome.message),
      reasonCode: "NOT_UPDATED",
    });
}

function notUpdated(reason: string): string {
  return `the memory was not updated: ${reason}`;
}

const DISCARDED =
  "the update was discarded, because another process took over or the memory was cleared or undone meanwhile";

/** Reads the current memory, asks for the next one, and writes it as a new generation. */
async function updateMemory(
  run: PipelineRun,
  claim: ConsolidationClaim,
  lost: AbortSignal,
): Promise<ConsolidationOutcome | "lost"> {
  const { store, project, settings, tally, onEvent } = run;
  const current = await readCurrent(run);
  if (isPipelineError(current)) return await memoryFailure(run, claim, current);
  const stored = withoutForgotten(
    run,
    store.consolidations.extractions(project, settings.maxRawMemories),
  );
  const round: Round = { claim, current, stored };
  const task = createTask(run, round);
  // Nothing to add and nothing to remove: the memory stays as it is.
  if (task.added.length === 0 && task.removed.length === 0) return { kind: "done", seen: stored };
  onEvent?.({ type: "consolidation-start", extractions: task.added.length });
  const reply = await askForMemory(run, task, lost);
  if (reply.kind === "lost") return "lost";
  if (reply.kind === "stopped") return { kind: "released" };
  if (reply.kind === "failed") return await recordFailure(run, reply.failure, claim.postponements);
  tally.failuresInARow = 0;
  return await writeGeneration(run, round, reply);
}

/** Returns what the user can fix as an error: an unreadable memory is not an empty one. */
async function readCurrent({
  generations,
}: PipelineRun): Promise<CurrentGeneration | PipelineError | undefined> {
  try {
    return await generations.read();
  } catch (error) {
    if (isPipelineError(error)) return error;
    throw error;
  }
}

async function memoryFailure(
  run: PipelineRun,
  { postponements }: ConsolidationClaim,
  error: PipelineError,
): Promise<ConsolidationOutcome> {
  return await recordFailure(run, classifyError(error), postponements);
}

/** What a consolidation starts from. */
interface Round {
  readonly claim: ConsolidationClaim;
  readonly current: CurrentGeneration | undefined;
  readonly stored: readonly StoredExtraction[];
}

function createTask(
  { clock, forgotten }: PipelineRun,
  { claim, current, stored }: Round,
): ConsolidationTask {
  const isAll = claim.isForced || current === undefined;
  return {
    kind: "consolidate",
    today: new Date(clock.nowMs()).toISOString().slice(0, 10),
    previous: current && previousMemory(current, forgotten),
    added: stored.filter(
      ({ isRemoved, isNew, rawMemory }) => !isRemoved && rawMemory !== "" && (isAll || isNew),
    ),
    // Without a memory there is nothing to remove from.
    removed: current === undefined ? [] : stored.filter(({ isRemoved }) => isRemoved),
  };
}

interface MemoryAnswer {
  readonly kind: "memory";
  readonly memory: ConsolidatedMemory;
  readonly seen: readonly SeenExtraction[];
}

async function askForMemory(
  run: PipelineRun,
  task: ConsolidationTask,
  lost: AbortSignal,
): Promise<MemoryAnswer | NoReply> {
  return await shrinkOnOverflow<MemoryAnswer>(maxInputTokens(run, "smol"), async (maxTokens) => {
    const { system, schema, seen, omitted, ...request } = consolidationRequest(task, maxTokens);
    // The user may have typed a secret into the memory by hand.
    const input = (await redactText(request.input)).text;
    const reply = await askModel(run, { role: "smol", system, input, schema, task }, lost);
    const usedTokens = estimateTokens(input);
    if (reply.kind !== "answered") return { reply, usedTokens };
    const parsed = parseConsolidation(reply.completion.text);
    if (parsed.kind !== "memory")
      return { reply: unusableAnswer(reply.completion, parsed.message), usedTokens };
    const memory = restoreOmitted(parsed.memory, omitted);
    return { reply: { kind: "memory", memory, seen }, usedTokens };
  });
}

async function writeGeneration(
  run: PipelineRun,
  { claim, current, stored }: Round,
  answer: MemoryAnswer,
): Promise<ConsolidationOutcome | "lost"> {
  const { store, clock, generations, tally } = run;
  try {
    const written = await generations.write({
      ...(await memoryToWrite(run, answer)),
      basedOn: { number: current?.number },
      extractions: stored.filter(({ isRemoved }) => !isRemoved),
      nowMs: clock.nowMs(),
      exam: await openExam(run, { current, stored }),
      isStillClaimed: () => store.consolidations.isHeld(claim, clock.nowMs()),
    });
    if (written.kind === "lost") return "lost";
    if (written.kind === "rejected") {
      const { path, message } = written;
      tally.notices.push({ code: "CANDIDATE_REJECTED", path, message: `${message}; see ${path}` });
      return await memoryFailure(run, claim, new PipelineError("PERMANENT", message));
    }
    tally.generation = written.number;
    tally.notices.push(...written.notices);
    // The first memory never contained anything of the removed sessions, so they count as seen.
    const removed = current === undefined ? stored.filter(({ isRemoved }) => isRemoved) : [];
    return { kind: "done", seen: [...answer.seen, ...removed] };
  } catch (error) {
    if (isPipelineError(error)) return await memoryFailure(run, claim, error);
    throw error;
  }
}

/** Without secrets, and without what the user forgot. */
async function memoryToWrite(
  { forgotten, tally }: PipelineRun,
  { memory }: MemoryAnswer,
): Promise<Pick<NewGeneration, "memory" | "isUnwanted">> {
  const redacted = await redactMemory(memory);
  if (forgotten === undefined) return { memory: redacted };
  const { value, removed } = stripMemory(redacted, forgotten);
  tally.forgotten += removed;
  return { memory: value, isUnwanted: isUnwanted(forgotten) };
}

/** Asks the new memory what the old one and the sessions know. */
async function openExam(
  { exam }: PipelineRun,
  { current, stored }: Pick<Round, "current" | "stored">,
): Promise<NonNullable<NewGeneration["exam"]>> {
  const expect = current === undefined ? [] : await exam?.expect?.();
  const questions = { expect, isForgotten: exam?.isForgotten, extractions: stored };
  return (texts) => takeExam(examQuestions(questions), texts);
}
