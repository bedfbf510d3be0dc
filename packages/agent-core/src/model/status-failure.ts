import type { ModelFailureCode } from "./model-failure.ts";

/** What a provider said no to, as far as it can be told from its status and its words. */
export interface StatusFailure {
  readonly code: ModelFailureCode;
  readonly sentence: (provider: string, model: string) => string;
  readonly isTransient: boolean;
}

const OVERFLOW: StatusFailure = {
  code: "overflow",
  sentence: (_, model) => `the conversation does not fit into the window of ${model}`,
  isTransient: false,
};
const AUTH: StatusFailure = {
  code: "auth",
  sentence: (provider) => `${provider} does not accept the key`,
  isTransient: false,
};
const UNKNOWN_MODEL: StatusFailure = {
  code: "unknown-model",
  sentence: (provider, model) => `${provider} does not know ${model}`,
  isTransient: false,
};
const OVERLOADED: StatusFailure = {
  code: "overloaded",
  sentence: (provider) => `${provider} is overloaded`,
  isTransient: true,
};
const RATE_LIMIT: StatusFailure = {
  code: "rate-limit",
  sentence: (provider) => `${provider} wants fewer requests`,
  isTransient: true,
};
const NO_CREDIT: StatusFailure = {
  code: "rate-limit",
  sentence: (provider) => `${provider} has no credit left for this key`,
  isTransient: false,
};
const SERVER: StatusFailure = {
  code: "server",
  sentence: (provider) => `${provider} has a fault of its own`,
  isTransient: true,
};
const TIMEOUT: StatusFailure = {
  code: "timeout",
  sentence: (provider) => `${provider} took too long to answer`,
  isTransient: true,
};
const BAD_REQUEST: StatusFailure = {
  code: "bad-request",
  sentence: (provider) => `${provider} did not accept the request`,
  isTransient: false,
};

/** Words that say more than the status; the first row that fits counts. */
const WORDS: readonly (readonly [RegExp, StatusFailure])[] = [
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

/** What errors in the middle of a stream are called where they have no status. */
const NAMES: readonly (readonly [RegExp, StatusFailure])[] = [
  [/rate_limit|RESOURCE_EXHAUSTED/i, RATE_LIMIT],
  [/invalid_request|INVALID_ARGUMENT/i, BAD_REQUEST],
  [/UNAVAILABLE/, OVERLOADED],
];

const STATUSES: Readonly<Record<number, StatusFailure>> = {
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

/** Tells what a refusal is by what it says, then by its status. `undefined` as status is an error inside a stream. */
export function statusFailure(status: number | undefined, words: string): StatusFailure {
  const said = WORDS.find(([pattern]) => pattern.test(words))?.[1];
  if (said !== undefined) return said;
  if (status === undefined) return NAMES.find(([name]) => name.test(words))?.[1] ?? SERVER;
  return STATUSES[status] ?? (status >= 500 ? SERVER : BAD_REQUEST);
}
