import type { ModelFailureCode } from "./model-failure.ts";

/** A kind of rejection by the provider. */
export interface Rejection {
  readonly code: ModelFailureCode;
  readonly describe: (provider: string, model: string) => string;
  readonly isTransient: boolean;
}

const OVERFLOW: Rejection = {
  code: "overflow",
  describe: (_, model) => `the conversation does not fit into the context window of ${model}`,
  isTransient: false,
};
const AUTH: Rejection = {
  code: "auth",
  describe: (provider) => `${provider} rejected the API key`,
  isTransient: false,
};
const UNKNOWN_MODEL: Rejection = {
  code: "unknown-model",
  describe: (provider, model) => `${provider} does not know the model ${model}`,
  isTransient: false,
};
const OVERLOADED: Rejection = {
  code: "overloaded",
  describe: (provider) => `${provider} is overloaded`,
  isTransient: true,
};
const RATE_LIMIT: Rejection = {
  code: "rate-limit",
  describe: (provider) => `${provider} limits the number of requests`,
  isTransient: true,
};
const NO_CREDIT: Rejection = {
  code: "rate-limit",
  describe: (provider) => `${provider} has no credit left for this API key`,
  isTransient: false,
};
const SERVER: Rejection = {
  code: "server",
  describe: (provider) => `${provider} reported an internal error`,
  isTransient: true,
};
const TIMEOUT: Rejection = {
  code: "timeout",
  describe: (provider) => `${provider} took too long to respond`,
  isTransient: true,
};
const BAD_REQUEST: Rejection = {
  code: "bad-request",
  describe: (provider) => `${provider} rejected the request`,
  isTransient: false,
};

/** Texts that are more specific than the status. The first match wins. */
const TEXTS: readonly (readonly [RegExp, Rejection])[] = [
  [/prompt is too long|input is too long|input length and .?max_tokens.? exceed/i, OVERFLOW],
  [/context_length_exceeded|context[_ ](?:length|window|size)[^.]{0,40}exceed/i, OVERFLOW],
  [/exceeds?[^.]{0,60}(?:context (?:window|length|size)|maximum context)/i, OVERFLOW],
  [/maximum context length|exceed_context_size|context the overflows/i, OVERFLOW],
  [/input token count[^.]{0,60}exceeds/i, OVERFLOW],
  [/insufficient_quota|credit balance is too low|exceeded your current quota/i, NO_CREDIT],
  [/api[_ ]key not valid|invalid_api_key|API_KEY_INVALID|authentication_error/i, AUTH],
  [/model_not_found|model .{0,80}(?:does not exist|not found|is not found)/i, UNKNOWN_MODEL],
  [/overloaded(?:_error)?\b/i, OVERLOADED],
];

/** Names of errors in the middle of a stream, which have no status. */
const STREAM_ERRORS: readonly (readonly [RegExp, Rejection])[] = [
  [/rate_limit|RESOURCE_EXHAUSTED/i, RATE_LIMIT],
  [/invalid_request|INVALID_ARGUMENT/i, BAD_REQUEST],
  [/UNAVAILABLE/, OVERLOADED],
];

const STATUSES: Readonly<Record<number, Rejection>> = {
  401: AUTH,
  402: NO_CREDIT,
  403: AUTH,
  404: UNKNOWN_MODEL,
  408: TIMEOUT,
  409: SERVER,
  413: OVERFLOW,
  429: RATE_LIMIT,
  504: TIMEOUT,
  529: OVERLOADED,
};

/** Classifies a rejection by its text, then by its status. The status is `undefined` for an error inside a stream. */
export function classifyRejection(status: number | undefined, text: string): Rejection {
  const byText = TEXTS.find(([pattern]) => pattern.test(text))?.[1];
  if (byText !== undefined) return byText;
  if (status === undefined) {
    return STREAM_ERRORS.find(([pattern]) => pattern.test(text))?.[1] ?? SERVER;
  }
  return STATUSES[status] ?? (status >= 500 ? SERVER : BAD_REQUEST);
}
