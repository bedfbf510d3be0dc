import { terminalSafeJsonLine } from "@caliban/common";
import type { CheckedValue } from "./check-value.ts";

// Generous limits for what a program can be started with.
const MAX_ITEMS = 256;
const MAX_CHARACTERS = 32_768;

/** `provider/model`; the name of the model itself may contain slashes, too. */
export function checkModel(value: unknown): CheckedValue {
  const isModel =
    typeof value === "string" && /^[a-z0-9][a-z0-9_-]{0,63}\/[\w.:@+/-]{1,200}$/.test(value);
  return isModel
    ? { value }
    : { expected: 'a provider and a model, like "anthropic/claude-sonnet-5-5"' };
}

/** A URL without secrets: a password in it would be shown wherever the URL is. */
export function checkUrl(value: unknown): CheckedValue {
  const isUrl =
    typeof value === "string" &&
    value.length <= 2000 &&
    /^https?:\/\/[^\s@?#\\]+$/.test(value) &&
    URL.canParse(value);
  return isUrl
    ? { value }
    : { expected: "a URL like https://example.com/v1, without user name, query and fragment" };
}

/** Unlike the URL of a model, the URL of a server may have a query: some name a project there. */
export function checkServerUrl(value: unknown): CheckedValue {
  const isUrl =
    typeof value === "string" &&
    value.length <= 2000 &&
    /^https?:\/\/[^\s\p{Cc}\\#@]+$/u.test(value) &&
    URL.canParse(value);
  return isUrl
    ? { value }
    : { expected: "a URL like https://example.com/mcp, without user name and fragment" };
}

const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::[1-9]\d{0,4})?$/i;

/** Names of hosts, without a scheme or a path. A star alone would be no limit. */
export function checkHosts(value: unknown): CheckedValue {
  const isList =
    Array.isArray(value) &&
    value.length <= MAX_ITEMS &&
    value.every((item) => typeof item === "string" && HOST.test(item));
  return isList
    ? { value: [...new Set<string>(value)] }
    : {
        expected: 'a list of hosts like ["registry.npmjs.org", "*.example.com", "localhost:8080"]',
      };
}

/** A name or a path: something on one line. */
export function checkText(value: unknown): CheckedValue {
  const isLine = typeof value === "string" && /^[^\p{Cc}]{1,4096}$/u.test(value);
  return isLine && value.trim() !== ""
    ? { value }
    : { expected: "a string of 1 to 4096 characters, without control characters" };
}

const SHARED_TYPES = ["feedback", "project", "reference"];

/** Which topics a team gets; never those about the user. Types are in a fixed order, without duplicates. */
export function checkSharing(value: unknown): CheckedValue {
  const expected = `"ask", "off", or "type:" and types of topics, like "type:project,reference"`;
  if (value === "ask" || value === "off") return { value };
  if (typeof value !== "string" || !value.startsWith("type:")) return { expected };
  const types = value.slice("type:".length).split(",");
  if (!types.every((type) => SHARED_TYPES.includes(type.trim()))) return { expected };
  const chosen = SHARED_TYPES.filter((known) => types.some((type) => type.trim() === known));
  return { value: `type:${chosen.join(",")}` };
}

/** Arguments of a program. */
export function checkTexts(value: unknown): CheckedValue {
  const expected = `a list of at most ${MAX_ITEMS} strings, like ["-y", "some-server"]`;
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return { expected };
  return value.every(isAnyText) ? { value } : { expected };
}

/** Variables by name. A problem repeats only the name, because the value may be a secret. */
export function checkVariables(value: unknown): CheckedValue {
  const expected = 'a table of strings by variable name, like { PORT = "8080" }';
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { expected };
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (entries.length > MAX_ITEMS) return { expected };
  const badName = entries.find(([name]) => !/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name));
  if (badName !== undefined)
    return { expected, actual: `one named ${terminalSafeJsonLine(badName[0].slice(0, 40))}` };
  const badText = entries.find(([, text]) => !isAnyText(text));
  if (badText !== undefined) return { expected, actual: `another value for ${badText[0]}` };
  return { value: Object.fromEntries(entries.map(([name, text]) => [name, String(text)])) };
}

/** The name of an environment variable. */
export function checkVariableName(value: unknown): CheckedValue {
  return isVariableName(value)
    ? { value }
    : { expected: "the name of an environment variable, like MY_SERVER_API_KEY" };
}

/** Names of environment variables, without duplicates. */
export function checkVariableNames(value: unknown): CheckedValue {
  const isList = Array.isArray(value) && value.length <= MAX_ITEMS && value.every(isVariableName);
  return isList
    ? { value: [...new Set<string>(value)] }
    : { expected: 'a list of environment variable names, like ["GITHUB_TOKEN"]' };
}

/** Keys without a dash look like names; those of a well-known shape are rejected. */
function isVariableName(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 100) return false;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) && !/^(?:AIza|gsk_|hf_|sk_|xai_)/.test(value);
}

function isAnyText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_CHARACTERS && !value.includes("\0");
}

const TOOL_NAMES = /^[\w*-]{1,100}(?:\|[\w*-]{1,100}){0,31}$/;

/** Names of tools, any of which may match. A regular expression would match less or more than it seems to. */
export function checkToolNames(value: unknown): CheckedValue {
  const isList = typeof value === "string" && TOOL_NAMES.test(value);
  return isList
    ? { value }
    : { expected: 'names of tools separated by |, like "Edit|Write" or "mcp__github__*"' };
}
