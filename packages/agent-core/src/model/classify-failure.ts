import { APICallError, EmptyResponseBodyError, InvalidResponseDataError, JSONParseError, NoContentGeneratedError, TypeValidationError } from "@ai-sdk/provider";
import type { ModelFailure } from "./model-failure.ts";
import { causesOf, networkFailureOf } from "./network-failure.ts";
import { readRetryAfter } from "./retry.ts";
import { statusFailure } from "./status-failure.ts";
import { terminalSafeLine } from "@caliban/common";

/**
 * Tells what went wrong with a request to `provider/model`: anything that the AI SDK throws or puts into a stream.
 * `secrets` are masked wherever the provider repeats them.
 */
export function classifyFailure(
  error: unknown,
  model: string,
  secrets: readonly string[] = [],
): ModelFailure {
  const given: Case = { model, provider: model.split("/", 1)[0] ?? model, secrets };
  const tooLong = ofTooLong(error, given);
  if (tooLong !== undefined) return tooLong;
  if (APICallError.isInstance(error)) return ofCall(error, given);
  if (isAboutForm(error)) return ofForm(error, given);
  return ofNetwork(error, undefined, given) ?? ofStreamError(error, given);
}

interface Case {
  readonly model: string;
  readonly provider: string;
  readonly secrets: readonly string[];
}

function ofCall(error: APICallError, given: Case): ModelFailure {
  const { statusCode, responseBody = "", responseHeaders, message, url } = error;
  if (statusCode === undefined || isSuccess(statusCode)) return ofBrokenAnswer(error, given);
  const words = quotedWords(message, given.secrets);
  const kind = statusFailure(statusCode, `${message}\n${responseBody}`);
  const isLost = kind.code === "unknown-model";
  const place = quotedWords(placeOf(url), given.secrets);
  const hint = isLost ? ` Is the name right, and the address ${place}?` : "";
  return {
    code: kind.code,
    sentence:
      withWords(`${kind.sentence(given.provider, given.model)} (${statusCode})`, words) + hint,
    statusCode,
    isTransient: kind.isTransient,
    retryAfterMs: readRetryAfter(responseHeaders, responseBody),
  };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** No status at all, or a good one before something went wrong. */
function ofBrokenAnswer(error: APICallError, given: Case): ModelFailure {
  const network = ofNetwork(error, error.url, given);
  const hasBegun = error.statusCode !== undefined;
  if (network !== undefined && hasBegun && network.code === "network") {
    return { ...CUT, sentence: cutSentence(given) };
  }
  if (network !== undefined) return network;
  const { cause } = error;
  const words = cause instanceof Error ? cause.message : error.message;
  if (!hasBegun)
    return {
      ...LOST,
      sentence: withWords(`${given.provider} was not reached`, quotedWords(words, given.secrets)),
    };
  return garbage(words, given);
}

const CUT = { code: "cut-stream", isTransient: true } as const;
const LOST = { code: "network", isTransient: true } as const;

function cutSentence({ provider }: Case): string {
  return `the answer of ${provider} broke off before its end.`;
}

function ofNetwork(error: unknown, url: string | undefined, given: Case): ModelFailure | undefined {
  const failure = networkFailureOf(error);
  if (failure === undefined) return undefined;
  const { code, isTransient } = failure;
  const place = url === undefined ? given.provider : originOf(url);
  const sentence = failure.sentence(quotedWords(place, given.secrets));
  return { code, isTransient, sentence: /[?.]$/.test(sentence) ? sentence : `${sentence}.` };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Without the query, in which some send a key; with the path, in which a missing `/v1` is seen. */
function placeOf(url: string): string {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: "" };
  return `${originOf(url)}${pathname}`;
}

/** The answer came and was not of the form that the protocol says. */
function isAboutForm(error: unknown): error is Error {
  return [
    InvalidResponseDataError,
    JSONParseError,
    TypeValidationError,
    EmptyResponseBodyError,
    NoContentGeneratedError,
  ].some((kind) => kind.isInstance(error));
}

function ofForm(error: Error, given: Case): ModelFailure {
  if (InvalidResponseDataError.isInstance(error) && /without a finish reason/.test(error.message)) {
    return { ...CUT, sentence: cutSentence(given) };
  }
  return garbage(error.message, given);
}

function garbage(words: string, { provider, secrets }: Case): ModelFailure {
  return {
    code: "garbage",
    sentence: withWords(
      `the answer of ${provider} is not what it should be`,
      quotedWords(words, secrets),
    ),
    // Whoever speaks another protocol still does so in a minute.
    isTransient: false,
  };
}

/** A transport says with this code that it gave up on an answer without an end. */
function ofTooLong(error: unknown, { provider }: Case): ModelFailure | undefined {
  const cause = causesOf(error).find((each) => textAt(each, "code") === "TOO_LONG");
  if (cause === undefined) return undefined;
  const limit = Number(textAt(cause, "limitBytes")) / 1024 / 1024;
  const length = limit > 0 ? `longer than ${limit} MiB` : "too long";
  const sentence = `the answer of ${provider} is ${length}, so it was broken off.`;
  return { code: "garbage", sentence, isTransient: false };
}

/** An error that a provider reports in the middle of its answer is a plain object, with or without a status. */
function ofStreamError(error: unknown, given: Case): ModelFailure {
  if (error instanceof Error) return ofPlainError(error, given);
  if (typeof error !== "object" || error === null) return garbage(String(error), given);
  const message = textAt(error, "message");
  const names = `${textAt(error, "type")} ${textAt(error, "code")}`;
  const status =
    "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : undefined;
  const kind = statusFailure(status, `${message}\n${names}`);
  return {
    code: kind.code,
    sentence: withWords(
      kind.sentence(given.provider, given.model),
      quotedWords(message || names.trim(), given.secrets),
    ),
    ...(status !== undefined && { statusCode: status }),
    isTransient: kind.isTransient,
  };
}

/** A transport that refuses to follow says itself what to do; anything else is an answer that nobody expected. */
function ofPlainError(error: Error, given: Case): ModelFailure {
  if (textAt(error, "code") !== "REDIRECTED") return garbage(error.message, given);
  const words = quotedWords(error.message, given.secrets);
  return { code: "bad-request", sentence: `${words}.`, isTransient: false };
}

function textAt(value: object, name: string): string {
  const found: unknown = Reflect.get(value, name);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

const MOST_CHARACTERS = 300;

/** What keys look like, of whatever provider. */
const KEY_LIKE: readonly RegExp[] = [
  /\b(?:sk|pk|rk|key)-[\w*.-]{3,}/g,
  /\bAIza[\w*-]{6,}/g,
  /\b(?:gsk|hf|xai|ghp|github_pat)_[\w*]{6,}/g,
  /\bBearer\s+[^\s"',;]+/gi,
  /\beyJ[\w-]{10,}\.[\w-]*\.?[\w-]*/g,
];

/** A provider's own words, fit for a terminal: one line, not too long, without keys. */
export function quotedWords(text: string, secrets: readonly string[]): string {
  const bare = secrets
    .filter((secret) => secret !== "")
    .reduce((hidden, secret) => hidden.replaceAll(secret, "[key]"), text);
  const masked = KEY_LIKE.reduce((hidden, pattern) => hidden.replace(pattern, "[key]"), bare);
  const line = terminalSafeLine(masked.trim().replaceAll(/\s+/g, " "));
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line;
}

/** A sentence with the provider's words behind it, when there are any. */
export function withWords(sentence: string, words: string): string {
  return words === ""
    ? `${sentence}.`
    : `${sentence}: ${/[.!?…]$/.test(words) ? words : `${words}.`}`;
}
