// Also the keys of the AWS documentation, which end in EXAMPLE: they open nothing and stand in many a note.
const MARK =
  /x{5,}|\*{3,}|\.{3,}|…|your[_-]?(?:[_-]|token|api|key|secret|access|personal|bot|pass|own|real)|example|placeholder|redacted/i;

/** Words of which stand-ins are made, longer ones first. */
const WORDS =
  /placeholder|undefined|encrypted|production|passphrase|credential|username|password|database|changeit|changeme|required|optional|postgres|redacted|removed|example|default|replace|letmein|staging|passwd|secret|sample|string|access|insert|qwerty|hidden|masked|client|random|change|strong|dummy|token|value|admin|guest|mysql|redis|local|super|fixme|abcdef|fake|mock|test|demo|todo|here|this|user|name|auth|root|pass|prod|none|null|true|false|some|abcd|asdf|long|very|good|api|key|foo|bar|baz|qux|the|your|pwd|abc|xyz|tbd|new|old|dev|pw|db|my|me/gi;

const COUNTING = /0?123(?:4(?:5(?:6(?:7(?:8(?:90?)?)?)?)?)?)?/g;
const REPEATED = /(.)\1{3,}/g;
const BETWEEN_WORDS = /[\s_.:/-]/g;
const FEWEST_OWN_CHARACTERS = 4;

/** Whether a token says of itself that it is none: `ghp_xxxxxxxx`, `AKIA…EXAMPLE`. */
export function isStandIn(token: string): boolean {
  return MARK.test(token);
}

/** Whether hardly anything is left of a password without the words of which stand-ins are made: `my-secret-pw-123`. */
export function isStandInPassword(value: string): boolean {
  if (isStandIn(value)) return true;
  const own = [WORDS, COUNTING, REPEATED, BETWEEN_WORDS].reduce(
    (left, pattern) => left.replace(pattern, ""),
    value,
  );
  return own.length < FEWEST_OWN_CHARACTERS;
}
