import { terminalSafeLine } from "@caliban/common";

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
