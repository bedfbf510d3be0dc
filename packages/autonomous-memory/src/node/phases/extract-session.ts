import { tokensOfBytes } from "@caliban/common";
import { SessionsError } from "@caliban/sessions";
import { extractionRequest } from "../../extraction/extraction-request.ts";
import type { Extraction } from "../../extraction/extraction-task.ts";
import { parseExtraction } from "../../extraction/parse-extraction.ts";
import type { PipelineEvent } from "../../pipeline-report.ts";
import { retryAtMs } from "../../retry-time.ts";
import type { ExtractionClaim, ExtractionOutcome } from "../../store/pipeline-store.ts";
import { fitTranscript } from "../../transcript/fit-transcript.ts";
import { readTurns, type ReadTurns } from "../transcript/read-turns.ts";
import { redactText, redactTexts } from "../transcript/redact-text.ts";
import { ask, type Asked } from "./ask.ts";
import { holdClaim } from "./hold-claim.ts";
import { noteFailure } from "./note-failure.ts";
import type { PipelineRun } from "./pipeline-parts.ts";
import { releasedOnThrow } from "./released-on-throw.ts";
import { safeSentence } from "./safe-sentence.ts";
import { inputTokens, smallerInput } from "./smaller-input.ts";
import { uselessAnswer } from "./useless-answer.ts";

/** How the reading of a session ended. */
export interface SessionEnd {
  readonly outcome: Extract<PipelineEvent, { type: "session-end" }>["outcome"];
  readonly sentence?: string | undefined;
}

/**
 * Reads one session, asks what is durable in it, and keeps the answer while the claim is ours; `undefined` when it was
 * given back untouched.
 */
export async function extractSession(
  run: PipelineRun,
  claim: ExtractionClaim,
): Promise<SessionEnd | undefined> {
  const { store, clock, settings } = run;
  const leaseMs = settings.stage1LeaseSeconds * 1_000;
  const held = holdClaim({
    clock,
    leaseMs,
    beat: () => store.extractions.heartbeat(claim, clock.nowMs(), leaseMs),
  });
  try {
    const outcome = await releasedOnThrow(outcomeOf(run, claim, held.lost), () =>
      store.extractions.finish(claim, { kind: "released" }, clock.nowMs()),
    );
    const isKept = outcome !== "lost" && store.extractions.finish(claim, outcome, clock.nowMs());
    return isKept ? counted(run, outcome) : { outcome: "lost" };
  } finally {
    held.letGo();
  }
}

type Outcome = ExtractionOutcome | "lost";

async function outcomeOf(
  run: PipelineRun,
  claim: ExtractionClaim,
  lost: AbortSignal,
): Promise<Outcome> {
  const read = await readSession(run, claim);
  if ("kind" in read) return read;
  const { contentHash, turns } = read;
  if (contentHash === claim.doneContentHash) return { kind: "unchanged", contentHash };
  const extractorId = run.model.extractor.id;
  // Nobody said anything, so nobody has to be asked.
  if (turns.length === 0)
    return { kind: "extracted", contentHash, extractorId, extraction: NOTHING };
  const answered = await askAboutSession(run, { claim, turns, lost });
  if (answered.kind !== "extraction") return await failedOutcome(run, claim, answered);
  const extraction = await withoutSecrets(answered.extraction);
  return { kind: "extracted", contentHash, extractorId, extraction };
}

const NOTHING: Extraction = { rolloutSummary: "", rolloutSlug: undefined, rawMemory: "" };

async function readSession(
  run: PipelineRun,
  { source: name, file }: ExtractionClaim,
): Promise<ReadTurns | ExtractionOutcome> {
  const source = run.sources.find((each) => each.name === name);
  if (source === undefined) return { kind: "released" };
  // Everything that could be sent, however large the window is: the content is the same for every model.
  const maxBytes = run.settings.rolloutTokenLimit * 4;
  try {
    const { memoryHomes = [], signal } = run;
    return await readTurns(source.messages(file), { maxBytes, memoryHomes, signal });
  } catch (error) {
    if (run.signal?.aborted === true) return { kind: "released" };
    if (error instanceof SessionsError && error.code === "NOT_FOUND") return { kind: "gone" };
    if (!(error instanceof Error)) throw error;
    return await failure(run, `the session cannot be read: ${error.message}`);
  }
}

interface SessionQuestion {
  readonly claim: ExtractionClaim;
  readonly turns: ReadTurns["turns"];
  readonly lost: AbortSignal;
}

type Answered =
  | { readonly kind: "extraction"; readonly extraction: Extraction }
  | Exclude<Asked, { kind: "answered" }>;

/** With half of the input when it was too much, as often as that makes sense. */
async function askAboutSession(
  run: PipelineRun,
  { claim, turns, lost }: SessionQuestion,
): Promise<Answered> {
  const { threadId, file } = claim;
  const updatedAt = new Date(Math.min(file.mtimeMs, run.clock.nowMs())).toISOString();
  const most = Math.min(run.settings.rolloutTokenLimit, inputTokens(run, "default"));
  return await smallerInput<Extract<Answered, { kind: "extraction" }>>(most, async (maxTokens) => {
    const transcript = (await redactText(fitTranscript(turns, maxTokens).text)).text;
    const { system, input, schema } = extractionRequest({ threadId, updatedAt, transcript });
    const task = { kind: "extract", threadId, updatedAt, turns } as const;
    const asked = await ask(run, { role: "default", system, input, schema, task }, lost);
    return { asked: extractionIn(asked), usedTokens: tokensOfBytes(transcript.length) };
  });
}

function extractionIn(asked: Asked): Answered {
  if (asked.kind !== "answered") return asked;
  const parsed = parseExtraction(asked.completion.text);
  if (parsed.kind === "extraction") return parsed;
  return { kind: "failed", failure: uselessAnswer(asked.completion, parsed.sentence) };
}

async function withoutSecrets({
  rolloutSummary,
  rolloutSlug,
  rawMemory,
}: Extraction): Promise<Extraction> {
  const [summary = "", slug = "", memory = ""] = await redactTexts([
    rolloutSummary,
    rolloutSlug ?? "",
    rawMemory,
  ]);
  return {
    rolloutSummary: summary,
    // A name in a listing: what looks like a secret is no name.
    rolloutSlug: slug === rolloutSlug ? rolloutSlug : undefined,
    rawMemory: memory,
  };
}

async function failedOutcome(
  run: PipelineRun,
  { postponements }: ExtractionClaim,
  answered: Exclude<Answered, { kind: "extraction" }>,
): Promise<Outcome> {
  if (answered.kind === "lost") return "lost";
  if (answered.kind === "stopped") return { kind: "released" };
  return await noteFailure(run, answered.failure, postponements);
}

async function failure(run: PipelineRun, reason: string): Promise<ExtractionOutcome> {
  const sentence = await safeSentence(reason);
  const at = retryAtMs(run.settings, { nowMs: run.clock.nowMs(), failuresBefore: 0 });
  return { kind: "failed", errorClass: "permanent", sentence, retryAtMs: at };
}

/** Adds the end of a session to what the run has done. */
function counted({ tally }: PipelineRun, outcome: ExtractionOutcome): SessionEnd | undefined {
  if (outcome.kind === "extracted") {
    tally.failuresInARow = 0;
    tally.sessionsRead += 1;
    return { outcome: outcome.extraction.rawMemory === "" ? "nothing-durable" : "read" };
  }
  if (outcome.kind === "failed") {
    tally.sessionsFailed += 1;
    return { outcome: "failed", sentence: outcome.sentence };
  }
  if (outcome.kind === "postponed") return { outcome: "postponed", sentence: outcome.sentence };
  if (outcome.kind === "released") return undefined;
  return { outcome: "unchanged" };
}
