import type { SecretPattern } from "./find-by-patterns.ts";

// What may precede the key material: line ends, plain or escaped, quote and diff marks, and lines such as
// `Proc-Type: 4,ENCRYPTED`. A mere mention of the first line is not followed by any of this.
const BEFORE = String.raw`[\s\\nr"'+>#|]{0,60}(?:[A-Z][\w-]{2,20}: [^\n]{0,120}\n\s{0,8}){0,6}`;
// Four dashes and a space in the format of SSH2.
const FIRST_LINE =
  "(?:-----|---- )BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?(?:-----| ----)";
const TO_LAST_LINE = "(?:[^-]|-(?!---))+-----? ?END[A-Z0-9 ]{0,40}----";
// A truncated key ends where its letters end.
const CUT_OFF = String.raw`${BEFORE}[A-Za-z0-9+/=\s\\>#|]{40,}`;

// A key without its first line: full lines and perhaps a shorter one. A sentence that ends with the last line has no line
// ends before it; the n of an escaped line end is not a letter. Neither letters nor line ends contain a dash, so that each
// last line looks back over its own key only.
const LETTERS = String.raw`(?<!\\)[A-Za-z0-9+/]`;
const LINE_END = String.raw`[ \t"',]{0,4}(?:\\r)?\r?(?:\n|\\n)[ \t"'>#|]{0,40}`;
const ONLY_END = String.raw`(?<=(?<value>(?:${LETTERS}{40,}={0,2}${LINE_END})+(?:${LETTERS}{1,64}={0,2}${LINE_END})?))-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----`;

const PATTERNS: readonly RegExp[] = [
  new RegExp(`${FIRST_LINE}(?=${BEFORE}[A-Za-z0-9+/]{40})(?:${TO_LAST_LINE}|${CUT_OFF})`, "g"),
  new RegExp(ONLY_END, "dg"),
  // PuTTY.
  /Private-Lines: \d{1,3}\s{1,4}[A-Za-z0-9+/=\s]{40,}/g,
];

const JWK_VALUE = /"[dk]"\s{0,4}:\s{0,4}"(?<value>[\w-]{22,})/dg;
const MAX_JWK_CHARACTERS = 4_096;

/** Private keys as text. They are long enough to contain any word by chance, so none counts as a placeholder. */
export const PRIVATE_KEY_PATTERNS: readonly SecretPattern[] = [
  ...PATTERNS.map((pattern) => ({ kind: "private key", pattern, isSecret: () => true })),
  { kind: "private key", pattern: JWK_VALUE, isSecret: isInJwk },
];

/** Whether a member belongs to a JSON Web Key. */
function isInJwk(_value: string, { input, index }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - MAX_JWK_CHARACTERS), index);
  const after = input.slice(index, index + MAX_JWK_CHARACTERS);
  const members = before.slice(before.lastIndexOf("{") + 1) + (after.split("}", 1)[0] ?? "");
  return /"kty"\s{0,4}:/.test(members);
}
