import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  NoContentGeneratedError,
  TypeValidationError,
} from "@ai-sdk/provider";
import { terminalSafeLine } from "@caliban/common";
import type { ModelFailure } from "./model-failure.ts";
import { causesOf, findNetworkFailure } from "./network-failure.ts";
import { readRetryAfter } from "./retry.ts";
import { classifyRejection } from "./classify-rejection.ts";

/**
 * Classifies anything that the AI SDK throws or puts into a stream for a request to `provider/model`. `secrets` are
 * masked wherever the provider repeats them.
 */
export function classifyFailure(
  error: unknown,
  model: string,
  secrets: readonly string[] = [],
): ModelFailure {
  const request: FailedRequest = { model, provider: model.split("/", 1)[0] ?? model, secrets };
  const tooLong = classifyTooLong(error, request);
  if (tooLong !== undefined) return tooLong;
  if (APICallError.isInstance(error)) return classifyApiError(error, request);
  if (isInvalidResponse(error)) return classifyInvalidResponse(error, request);
  return classifyNetworkError(error, undefined, request) ?? classifyStreamError(error, request);
}

interface FailedRequest {
  readonly model: string;
  readonly provider: string;
  readonly secrets: readonly string[];
}

function classifyApiError(error: APICallError, request: FailedRequest): ModelFailure {
  const { statusCode, responseBody = "", responseHeaders, message, url } = error;
  if (statusCode === undefined || isSuccess(statusCode)) {
    return classifyFailedResponse(error, request);
  }
  const { provider, model, secrets } = request;
  const rejection = classifyRejection(statusCode, `${message}\n${responseBody}`);
  const summary = `${rejection.describe(provider, model)} (${statusCode})`;
  const hint =
    rejection.code === "unknown-model"
      ? ` Check the model name and the address ${quote(withoutQuery(url), secrets)}.`
      : "";
  return {
    code: rejection.code,
    message: withDetail(summary, quote(message, secrets)) + hint,
    statusCode,
    isTransient: rejection.isTransient,
    retryAfterMs: readRetryAfter(responseHeaders, responseBody),
  };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** For a response without a status, or one that started well and failed later. */
function classifyFailedResponse(error: APICallError, request: FailedRequest): ModelFailure {
  const network = classifyNetworkError(error, error.url, request);
  const hasStarted = error.statusCode !== undefined;
  if (network?.code === "network" && hasStarted) return truncatedStream(request);
  if (network !== undefined) return network;
  const { cause } = error;
  const detail = cause instanceof Error ? cause.message : error.message;
  if (hasStarted) return invalidResponse(detail, request);
  const message = withDetail(`cannot reach ${request.provider}`, quote(detail, request.secrets));
  return { code: "network", message, isTransient: true };
}

function truncatedStream({ provider }: FailedRequest): ModelFailure {
  const message = `the response from ${provider} ended before it was complete.`;
  return { code: "cut-stream", message, isTransient: true };
}

function classifyNetworkError(
  error: unknown,
  url: string | undefined,
  { provider, secrets }: FailedRequest,
): ModelFailure | undefined {
  const failure = findNetworkFailure(error);
  if (failure === undefined) return undefined;
  const { code, isTransient } = failure;
  const endpoint = url === undefined ? provider : originOf(url);
  const summary = failure.describe(quote(endpoint, secrets));
  return { code, isTransient, message: /[?.]$/.test(summary) ? summary : `${summary}.` };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Drops the query, which may contain a key. Keeps the path, so that a missing `/v1` can be seen. */
function withoutQuery(url: string): string {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: "" };
  return `${originOf(url)}${pathname}`;
}

function isInvalidResponse(error: unknown): error is Error {
  return [
    InvalidResponseDataError,
    JSONParseError,
    TypeValidationError,
    EmptyResponseBodyError,
    NoContentGeneratedError,
  ].some((kind) => kind.isInstance(error));
}

function classifyInvalidResponse(error: Error, request: FailedRequest): ModelFailure {
  const isTruncated =
    InvalidResponseDataError.isInstance(error) && /without a finish reason/.test(error.message);
  return isTruncated ? truncatedStream(request) : invalidResponse(error.message, request);
}

function invalidResponse(detail: string, { provider, secrets }: FailedRequest): ModelFailure {
  return {
    code: "garbage",
    message: withDetail(`invalid response from ${provider}`, quote(detail, secrets)),
    // A server that speaks another protocol will still do so in a minute.
    isTransient: false,
  };
}

/** The transport uses this code when it cancels an endless response. */
function classifyTooLong(error: unknown, { provider }: FailedRequest): ModelFailure | undefined {
  const cause = causesOf(error).find((each) => readText(each, "code") === "TOO_LONG");
  if (cause === undefined) return undefined;
  const limit = Number(readText(cause, "limitBytes")) / 1024 / 1024;
  const length = limit > 0 ? `longer than ${limit} MiB` : "too long";
  const message = `the response from ${provider} is ${length} and was cancelled.`;
  return { code: "garbage", message, isTransient: false };
}

/** An error that a provider reports in the middle of a stream is a plain object, with or without a status. */
function classifyStreamError(error: unknown, request: FailedRequest): ModelFailure {
  if (error instanceof Error) return classifyUnknownError(error, request);
  if (typeof error !== "object" || error === null) return invalidResponse(String(error), request);
  const { provider, model, secrets } = request;
  const text = readText(error, "message");
  const names = `${readText(error, "type")} ${readText(error, "code")}`;
  const status =
    "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : undefined;
  const rejection = classifyRejection(status, `${text}\n${names}`);
  return {
    code: rejection.code,
    message: withDetail(rejection.describe(provider, model), quote(text || names.trim(), secrets)),
    ...(status !== undefined && { statusCode: status }),
    isTransient: rejection.isTransient,
  };
}

/** A transport that refuses to follow a redirect already says what to do. Everything else is unexpected. */
function classifyUnknownError(error: Error, request: FailedRequest): ModelFailure {
  if (readText(error, "code") !== "REDIRECTED") return invalidResponse(error.message, request);
  const message = `${quote(error.message, request.secrets)}.`;
  return { code: "bad-request", message, isTransient: false };
}

function readText(value: object, name: string): string {
  const found: unknown = Reflect.get(value, name);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

function withDetail(summary: string, detail: string): string {
  return detail === ""
    ? `${summary}.`
    : `${summary}: ${/[.!?…]$/.test(detail) ? detail : `${detail}.`}`;
}

const MAX_QUOTE_CHARACTERS = 300;

/** The API keys of common providers. */
const KEY_PATTERNS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|key)-[\w*.-]{3,}/g,
  /\bAIza[\w*-]{6,}/g,
  /\b(?:gsk|hf|xai|ghp|github_pat)_[\w*]{6,}/g,
  /\bBearer\s+[^\s"',;]+/gi,
  /\beyJ[\w-]{10,}\.[\w-]*\.?[\w-]*/g,
];

/** Makes a provider's text fit for a terminal: one short line without keys. */
function quote(text: string, secrets: readonly string[]): string {
  const withoutSecrets = secrets
    .filter((secret) => secret !== "")
    .reduce((masked, secret) => masked.replaceAll(secret, "[key]"), text);
  const withoutKeys = KEY_PATTERNS.reduce(
    (masked, pattern) => masked.replace(pattern, "[key]"),
    withoutSecrets,
  );
  const line = terminalSafeLine(withoutKeys.trim().replaceAll(/\s+/g, " "));
  return line.length > MAX_QUOTE_CHARACTERS ? `${line.slice(0, MAX_QUOTE_CHARACTERS - 1)}…` : line;
}
