import { bytesToTokens } from "@caliban/common";
import { isSessionsError, type SessionMessage } from "@caliban/sessions";
import { EMPTY_EXTRACTION, type Extraction } from "../../extraction/extraction.ts";
import { extractionRequest } from "../../extraction/extraction-request.ts";
import { excludeTurns } from "../../forgotten/exclude-turns.ts";
import { stripExtraction } from "../../forgotten/strip-memory.ts";
import { parseExtraction } from "../../extraction/parse-extraction.ts";
import { reviewExtraction } from "../../review/review-extraction.ts";
import type { SessionReview } from "../../review/session-review.ts";
import type { PipelineEvent } from "../../run/pipeline-report.ts";
import { retryAtMs } from "../../run/retry-time.ts";
import type { ExtractionClaim, ExtractionOutcome } from "../../store/pipeline-store.ts";
import { fitTranscript } from "../../transcript/fit-transcript.ts";
import { readTurns, type ReadTurns } from "../transcript/read-turns.ts";
import { redactText } from "../transcript/redact-text.ts";
import { askModel, type ModelReply, type NoReply, unusableAnswer } from "./ask-model.ts";
import { holdClaim } from "./hold-claim.ts";
import type { PipelineRun } from "./pipeline-run.ts";
import { recordFailure, safeMessage } from "./record-failure.ts";
import { redactExtraction } from "./redact-output.ts";
import { maxInputTokens, shrinkOnOverflow } from "./shrink-input.ts";

/** How reading a session ended. */
export interface SessionEnd {
  readonly outcome: Extract<PipelineEvent, { type: "session-end" }>["outcome"];
  readonly message?: string | undefined;
}

/**
 * Reads one session, asks for the durable knowledge in it, and stores the answer while the claim is held; `undefined` when
 * the session was released.
 */
export async function extractSession(
  run: PipelineRun,
  claim: ExtractionClaim,
): Promise<SessionEnd | undefined> {
  const { store, clock, settings } = run;
  const leaseMs = settings.stage1LeaseSeconds * 1_000;
  const finish = (outcome: ExtractionOutcome): boolean =>
    store.extractions.finish(claim, outcome, clock.nowMs());
  const outcome = await holdClaim({
    clock,
    leaseMs,
    heartbeat: () => store.extractions.heartbeat(claim, clock.nowMs(), leaseMs),
    work: (lost) => extract(run, claim, lost),
    release: () => finish({ kind: "released" }),
  });
  return outcome !== "lost" && finish(outcome) ? countSession(run, outcome) : { outcome: "lost" };
}

async function extract(
  run: PipelineRun,
  claim: ExtractionClaim,
  lost: AbortSignal,
): Promise<ExtractionOutcome | "lost"> {
  const review = run.review?.(claim.threadId);
  const read = await readSession(run, claim, review);
  if ("kind" in read) return read;
  const { contentHash, turns } = read;
  if (contentHash === claim.doneContentHash) return { kind: "unchanged", contentHash };
  const extractorId = run.model.extractor.id;
  // An empty session needs no request.
  if (turns.length === 0)
    return { kind: "extracted", contentHash, extractorId, extraction: EMPTY_EXTRACTION };
  const reply = await askAboutSession(run, { claim, turns, lost });
  if (reply.kind === "lost") return "lost";
  if (reply.kind === "stopped") return { kind: "released" };
  if (reply.kind === "failed") return await recordFailure(run, reply.failure, claim.postponements);
  const redacted = leaveOutForgotten(run, claim, await redactExtraction(reply.extraction));
  const extraction = await holdUntrusted(run, redacted, { turns, review });
  return { kind: "extracted", contentHash, extractorId, extraction };
}

/** A text that the session read may have told the model what to write. */
async function holdUntrusted(
  { tally }: PipelineRun,
  extraction: Extraction,
  { turns, review }: Pick<ReadTurns, "turns"> & { readonly review: SessionReview | undefined },
): Promise<Extraction> {
  if (review === undefined) return extraction;
  const reviewed = reviewExtraction(extraction, turns, review.isHeld);
  if (reviewed.held.length > 0) await review.hold(reviewed.held);
  tally.held += reviewed.held.length;
  return reviewed.extraction;
}

/** A model may know it from elsewhere, such as a file that it was shown. */
function leaveOutForgotten(
  { forgotten, tally }: PipelineRun,
  { threadId }: ExtractionClaim,
  extraction: Extraction,
): Extraction {
  if (forgotten === undefined) return extraction;
  const { value, removed } = stripExtraction(extraction, forgotten, { session: threadId });
  tally.forgotten += removed;
  return value;
}

async function readSession(
  run: PipelineRun,
  { source: name, file, threadId }: ExtractionClaim,
  review: SessionReview | undefined,
): Promise<ReadTurns | ExtractionOutcome> {
  const source = run.sources.find((each) => each.name === name);
  if (source === undefined) return { kind: "released" };
  // Everything that could be sent, whatever the context window: the content hash must not depend on the model.
  const maxBytes = run.settings.rolloutTokenLimit * 4;
  try {
    const { memoryDirectories, signal, forgotten } = run;
    const all = source.messages(file);
    const messages =
      forgotten === undefined ? all : excludeTurns(all, { session: threadId, forgotten });
    const seen = review === undefined ? messages : shownTo(review, messages);
    return await readTurns(seen, { maxBytes, memoryDirectories, signal });
  } catch (error) {
    if (run.signal?.aborted === true) return { kind: "released" };
    if (isSessionsError(error) && error.code === "NOT_FOUND") return { kind: "gone" };
    if (!(error instanceof Error)) throw error;
    return await unreadableSession(run, error);
  }
}

/** @yields every message after the review has seen it */
async function* shownTo(
  { add }: SessionReview,
  messages: AsyncIterable<SessionMessage>,
): AsyncGenerator<SessionMessage, void, undefined> {
  for await (const message of messages) {
    add(message);
    yield message;
  }
}

async function unreadableSession(run: PipelineRun, error: Error): Promise<ExtractionOutcome> {
  const message = await safeMessage(`cannot read the session: ${error.message}`);
  const at = retryAtMs(run.settings, { nowMs: run.clock.nowMs(), failuresBefore: 0 });
  return { kind: "failed", errorClass: "permanent", message, retryAtMs: at };
}

interface ExtractionAnswer {
  readonly kind: "extraction";
  readonly extraction: Extraction;
}

async function askAboutSession(
  run: PipelineRun,
  {
    claim,
    turns,
    lost,
  }: {
    readonly claim: ExtractionClaim;
    readonly turns: ReadTurns["turns"];
    readonly lost: AbortSignal;
  },
): Promise<ExtractionAnswer | NoReply> {
  const { threadId, file } = claim;
  const updatedAt = new Date(Math.min(file.mtimeMs, run.clock.nowMs())).toISOString();
  const limit = Math.min(run.settings.rolloutTokenLimit, maxInputTokens(run, "default"));
  return await shrinkOnOverflow<ExtractionAnswer>(limit, async (maxTokens) => {
    const transcript = (await redactText(fitTranscript(turns, maxTokens).text)).text;
    const { system, input, schema } = extractionRequest({ threadId, updatedAt, transcript });
    const task = { kind: "extract", threadId, updatedAt, turns } as const;
    const reply = await askModel(run, { role: "default", system, input, schema, task }, lost);
    return { reply: readExtraction(reply), usedTokens: bytesToTokens(transcript.length) };
  });
}

function readExtraction(reply: ModelReply): ExtractionAnswer | NoReply {
  if (reply.kind !== "answered") return reply;
  const parsed = parseExtraction(reply.completion.text);
  return parsed.kind === "extraction" ? parsed : unusableAnswer(reply.completion, parsed.message);
}

/** Adds a finished session to the tally of the run. */
function countSession({ tally }: PipelineRun, outcome: ExtractionOutcome): SessionEnd | undefined {
  switch (outcome.kind) {
    case "extracted":
      tally.failuresInARow = 0;
      tally.sessionsRead += 1;
      return { outcome: outcome.extraction.rawMemory === "" ? "nothing-durable" : "read" };
    case "failed":
      tally.sessionsFailed += 1;
      return { outcome: "failed", message: outcome.message };
    case "postponed":
      return { outcome: "postponed", message: outcome.message };
    case "released":
      return undefined;
    case "unchanged":
    case "gone":
      return { outcome: "unchanged" };
  }
}
