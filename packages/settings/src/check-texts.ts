import type { CheckedValue } from "./check-value.ts";
import { isVariableName } from "./model-texts.ts";

/** The most of what one program can be started with by hand. */
const MOST_ITEMS = 256;
const MOST_CHARS = 32_768;

/** A name or a path: something on one line. */
export function checkText(value: unknown): CheckedValue {
  const isLine = typeof value === "string" && /^[^\p{Cc}]{1,4096}$/u.test(value);
  return isLine && value.trim() !== ""
    ? { value }
    : { mustBe: "a text of 1 to 4096 characters, without control characters" };
}

/** Arguments: anything that a program can be given. */
export function checkTexts(value: unknown): CheckedValue {
  const mustBe = `a list of at most ${MOST_ITEMS} texts like ["-y", "some-server"]`;
  if (!Array.isArray(value) || value.length > MOST_ITEMS) return { mustBe };
  return value.every(isAnyText) ? { value } : { mustBe };
}

/** Variables by their names. What is wrong is told by the name alone: the rest may be a secret. */
export function checkVariables(value: unknown): CheckedValue {
  const mustBe = 'a table of texts by the names of variables, like { PORT = "8080" }';
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { mustBe };
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (entries.length > MOST_ITEMS) return { mustBe };
  const badName = entries.find(([name]) => !/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name));
  if (badName !== undefined)
    return { mustBe, but: `one called ${JSON.stringify(badName[0].slice(0, 40))}` };
  const badText = entries.find(([, text]) => !isAnyText(text));
  if (badText !== undefined) return { mustBe, but: `what is no text for ${badText[0]}` };
  return { value: Object.fromEntries(entries.map(([name, text]) => [name, String(text)])) };
}

/** Names of variables, each once. */
export function checkVariableNames(value: unknown): CheckedValue {
  const isList = Array.isArray(value) && value.length <= MOST_ITEMS && value.every(isVariableName);
  return isList
    ? { value: [...new Set<string>(value)] }
    : { mustBe: 'a list of names of environment variables, like ["GITHUB_TOKEN"]' };
}

/** Unlike the address of a model, that of a server may have a query: some name a project there. */
export function checkServerUrl(value: unknown): CheckedValue {
  const isUrl =
    typeof value === "string" &&
    value.length <= 2000 &&
    /^https?:\/\/[^\s\p{Cc}\\#@]+$/u.test(value) &&
    URL.canParse(value);
  return isUrl
    ? { value }
    : { mustBe: "a URL like https://example.com/mcp, without user name and fragment" };
}

function isAnyText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MOST_CHARS && !value.includes("\0");
}
