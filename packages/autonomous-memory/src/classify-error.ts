import { terminalSafeLine } from "@caliban/common";
import { PipelineError, type PipelineErrorCode } from "./errors.ts";
import type { ErrorClass } from "./store/pipeline-store.ts";

/** A failed request in words, and what is to be done about it. */
export interface ClassifiedError {
  readonly errorClass: Exclude<ErrorClass, "crash">;
  /** On one line, harmless on a terminal. */
  readonly sentence: string;
  readonly retryAfterMs?: number | undefined;
}

/** Says of what kind a failure of a model is: by our own codes, else by HTTP status, system code and words. */
export function classifyError(error: unknown): ClassifiedError {
  const sentence = sentenceOf(error);
  if (error instanceof PipelineError) {
    const errorClass = BY_CODE[error.code] ?? "permanent";
    return { errorClass, sentence, retryAfterMs: error.retryAfterMs };
  }
  return { errorClass: guessed(error, sentence), sentence };
}

const BY_CODE: Partial<Record<PipelineErrorCode, ClassifiedError["errorClass"]>> = {
  OVERFLOW: "overflow",
  TRANSIENT: "transient",
  SETUP: "setup",
};

const TOO_LONG =
  /context.{0,20}(?:length|window|limit)|(?:prompt|input|request) (?:is|was) too (?:long|large)|too many (?:input )?tokens|maximum.{0,30}tokens/i;
const OFTEN_PASSES = /fetch failed|network|socket|timed? ?out|overloaded|rate.?limit|temporar/i;
const SYSTEM_CODES = /^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND)|UND_ERR_)/;

function guessed(error: unknown, sentence: string): ClassifiedError["errorClass"] {
  const status = numberIn(error, "statusCode") ?? numberIn(error, "status");
  if (status === 413 || TOO_LONG.test(sentence)) return "overflow";
  if (status !== undefined) return byStatus(status);
  const name = textIn(error, "name");
  if (name === "AbortError" || name === "TimeoutError") return "transient";
  const code = textIn(error, "code") ?? textIn(causeOf(error), "code") ?? "";
  return SYSTEM_CODES.test(code) || OFTEN_PASSES.test(sentence) ? "transient" : "permanent";
}

function byStatus(status: number): ClassifiedError["errorClass"] {
  if ([401, 402, 403, 404].includes(status)) return "setup";
  return [408, 409, 425, 429].includes(status) || status >= 500 ? "transient" : "permanent";
}

/** Long enough that whoever takes secrets out of it finds them whole. */
const LONGEST_SENTENCE = 4_000;

function sentenceOf(error: unknown): string {
  const text = terminalSafeLine(error instanceof Error ? error.message : String(error)).trim();
  if (text === "") return "the model failed without a reason";
  return text.length > LONGEST_SENTENCE
    ? `${text.slice(0, LONGEST_SENTENCE - 1).toWellFormed()}…`
    : text;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === "number" ? field : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : undefined;
}
