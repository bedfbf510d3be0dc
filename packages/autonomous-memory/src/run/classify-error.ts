import { terminalSafeLine } from "@caliban/common";
import { isPipelineError, type PipelineErrorCode } from "./errors.ts";

/** The kind of a failure. `crash`: the process ended while it worked on the job. */
export type ErrorClass = "overflow" | "transient" | "setup" | "permanent" | "crash";

/** A failed request, and what kind of failure it is. */
export interface ClassifiedError {
  readonly errorClass: Exclude<ErrorClass, "crash">;
  /** One line, safe to print on a terminal. */
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

/** Classifies a failure of a model: by our own codes, otherwise by HTTP status, system code and message. */
export function classifyError(error: unknown): ClassifiedError {
  const message = messageOf(error);
  if (isPipelineError(error)) {
    const errorClass = CLASSES[error.code] ?? "permanent";
    return { errorClass, message, retryAfterMs: error.retryAfterMs };
  }
  return { errorClass: guessClass(error, message), message };
}

const CLASSES: Partial<Record<PipelineErrorCode, ClassifiedError["errorClass"]>> = {
  OVERFLOW: "overflow",
  TRANSIENT: "transient",
  SETUP: "setup",
};

const TOO_LONG =
  /context.{0,20}(?:length|window|limit)|(?:prompt|input|request) (?:is|was) too (?:long|large)|too many (?:input )?tokens|maximum.{0,30}tokens/i;
const OFTEN_TEMPORARY = /fetch failed|network|socket|timed? ?out|overloaded|rate.?limit|temporar/i;
const SYSTEM_CODES = /^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND)|UND_ERR_)/;

function guessClass(error: unknown, message: string): ClassifiedError["errorClass"] {
  const status = numberIn(error, "statusCode") ?? numberIn(error, "status");
  if (status === 413 || TOO_LONG.test(message)) return "overflow";
  if (status !== undefined) return classOfStatus(status);
  const name = textIn(error, "name");
  if (name === "AbortError" || name === "TimeoutError") return "transient";
  const code = textIn(error, "code") ?? textIn(causeOf(error), "code") ?? "";
  return SYSTEM_CODES.test(code) || OFTEN_TEMPORARY.test(message) ? "transient" : "permanent";
}

function classOfStatus(status: number): ClassifiedError["errorClass"] {
  if ([401, 402, 403, 404].includes(status)) return "setup";
  return [408, 409, 425, 429].includes(status) || status >= 500 ? "transient" : "permanent";
}

/** Long enough for secrets in it to be found whole before it is shortened. */
const MAX_MESSAGE_CHARS = 4_000;

function messageOf(error: unknown): string {
  const text = terminalSafeLine(error instanceof Error ? error.message : String(error)).trim();
  if (text === "") return "the model failed without giving a reason";
  return text.length > MAX_MESSAGE_CHARS
    ? `${text.slice(0, MAX_MESSAGE_CHARS - 1).toWellFormed()}…`
    : text;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === "number" ? field : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
