import { looksGenerated } from "./looks-generated.ts";

const MARKER =
  /x{5,}|\*{3,}|\.{3,}|…|your[_-]?(?:[_-]|token|api|key|secret|access|personal|bot|pass|own|real)|example|placeholder|redacted/i;

// The keys in the AWS documentation are useless and often quoted; a real key does not end like this by chance.
const DOCUMENTED = /^(?:A[A-Z]IA[A-Z0-9]{9}EXAMPLE|[A-Za-z0-9/+]{30}EXAMPLEKEY)$/;

// A masked key as a web page shows it to its owner: `sk_live_xxxxxxxx4f9c`.
const SHOWN_END = /(?<=x{8}|\*{4})[A-Za-z0-9]{1,4}$/i;

// The beginning of a token, or the first part of a JSON Web Token, which many of them share.
const TRUNCATED = /^(?:.{1,24}?|eyJ[\w-]{1,80}\.?)(?:\.{3}|…)$/;

/** Words that placeholders are made of, longer ones first. */
const WORDS =
  /placeholder|undefined|encrypted|production|passphrase|credential|username|password|database|changeit|changeme|required|optional|postgres|redacted|removed|example|default|replace|letmein|staging|passwd|secret|sample|string|access|insert|qwerty|hidden|masked|client|random|change|strong|dummy|token|value|admin|guest|mysql|redis|local|super|fixme|abcdef|fake|mock|test|demo|todo|here|this|user|name|auth|root|pass|prod|none|null|true|false|some|abcd|asdf|long|very|good|api|key|foo|bar|baz|qux|the|your|pwd|abc|xyz|tbd|new|old|dev|pw|db|my|me/gi;

const COUNTING = /0?123(?:4(?:5(?:6(?:7(?:8(?:90?)?)?)?)?)?)?/g;
const REPEATED = /(.)\1{3,}/g;
const BETWEEN_WORDS = /[\s_.:/-]/g;
const FILLERS = [/x{5,}/gi, /\*{3,}|\.{3,}|…/g, WORDS, COUNTING, REPEATED];
const MIN_OWN_CHARACTERS = 4;

/**
 * Whether a token marks itself as a placeholder, such as `ghp_xxxxxxxx`, and contains nothing else that could be a token:
 * a real token may contain five equal letters, too.
 */
export function isPlaceholder(token: string): boolean {
  if (DOCUMENTED.test(token)) return true;
  return MARKER.test(token) && !looksGenerated(withoutFillers(token.replace(SHOWN_END, "")));
}

/** Whether hardly anything is left of a password without the words of placeholders: `my-secret-pw-123`. */
export function isPlaceholderPassword(value: string): boolean {
  if (isPlaceholder(value)) return true;
  return withoutFillers(value).replace(BETWEEN_WORDS, "").length < MIN_OWN_CHARACTERS;
}

/** Whether only the beginning of a token is given: `eyJhbGciOiJIUzI1NiJ9...`. */
export function isTruncated(token: string): boolean {
  return TRUNCATED.test(token);
}

/** Replaces each filler by a gap, so that the remainder does not form new words. */
function withoutFillers(value: string): string {
  return FILLERS.reduce((left, pattern) => left.replace(pattern, "-"), value);
}
