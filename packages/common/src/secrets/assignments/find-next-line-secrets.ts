import type { SecretSpan } from "../secret-span.ts";
import { isMixedPassword } from "../values/mixed-password.ts";
import { isAssignedSecret, type SecretFamily } from "../values/assigned-secret.ts";
import { familyOf, KINDS, QUALIFIER, SECRET_NAME } from "./secret-name.ts";

/** A name whose values are on the lines below it. */
interface Section {
  readonly family: SecretFamily;
  readonly isHeading: boolean;
  readonly indent: number;
  /** How many of its lines were read. */
  readonly lines: number;
  /** Whether the current line is in a code block. */
  readonly isFenced: boolean;
}

const MARK = String.raw`(?:(?<heading>#{1,6}[ \t]{1,4}|\*\*(?=[^*\n]{1,80}\*\*\s{0,4}$))|(?<item>[-*+]|\d{1,2}[.)])[ \t]{1,4})?`;
const NAME = String.raw`[^:=|\n]{0,80}?(?:${SECRET_NAME}${QUALIFIER}|(?<plural>passwords|passwörter)(?!\w))`;
const END = String.raw`["'\x60*)\]_]{0,4}(?:[ \t]\([^()\n]{1,48}\)|[ \t](?:is|are|ist|est|es))?[ \t]{0,4}(?<colon>[:=])?[*_]{0,3}[ \t]{0,4}(?:[|>][-+]?)?\s{0,16}$`;
const NAME_LINE = new RegExp(`^[ \\t]{0,64}${MARK}${NAME}${END}`, "i");
// What distinguishes a name from the end of a sentence.
const MAY_BE_NAME = /^[ \t]*(?:[#*+-]|\d{1,2}[.)])|[:=]\W{0,24}$/;
const STATEMENT = /^[ \t]*(?:if|elif|else|while|for|def|case|with|except|when|unless)[ \t]|[({[]/;
const MAX_NAME_LENGTH = 160;
const MAX_VALUE_LENGTH = 4_096;
const MAX_LINES = 6;

const FENCE = /^[ \t]*`{3}/;
// Alone on its line, and therefore not a sentence; perhaps with a name of its own: `- staging: …`.
const VALUE_LINE =
  /^[ \t]*(?<item>(?:[-*+]|\d{1,2}[.)])[ \t]{1,4})?(?<label>["'`*]{0,3}[\w .()/-]{1,40}["'`*]{0,3}[:=][ \t]{1,4})?["'`*]{0,3}(?<value>[^\s"'`]+?)[,;.]{0,2}["'`]?[,;*]{0,4}\s*$/d;

/** Finds values below their name: under a heading, indented as in YAML, nested in a list, or in a code block. */
export function findNextLineSecrets(text: string): readonly SecretSpan[] {
  const secrets: SecretSpan[] = [];
  let section: Section | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    if (section !== undefined && line.trim() !== "") {
      section = continueSection(section, line);
      if (section !== undefined) secrets.push(...findInLine(line, start, section));
    }
    section = readName(line) ?? section;
    start += line.length + 1;
  }
  return secrets;
}

function continueSection(section: Section, line: string): Section | undefined {
  if (FENCE.test(line)) return { ...section, isFenced: !section.isFenced };
  const belongs = section.isHeading ? !line.startsWith("#") : indentOf(line) > section.indent;
  if (section.lines === MAX_LINES || !(belongs || section.isFenced)) return undefined;
  return { ...section, lines: section.lines + 1 };
}

function readName(line: string): Section | undefined {
  if (line.length > MAX_NAME_LENGTH || !MAY_BE_NAME.test(line)) return undefined;
  const match = NAME_LINE.exec(line);
  const family = match === null ? undefined : familyOf(match);
  const { heading, item, colon } = match?.groups ?? {};
  const isMarked = heading !== undefined || item !== undefined;
  if (family === undefined || !(isMarked || (colon !== undefined && !STATEMENT.test(line))))
    return undefined;
  const isHeading = heading !== undefined;
  return { family, isHeading, indent: indentOf(line), lines: 0, isFenced: false };
}

function findInLine(line: string, start: number, section: Section): readonly SecretSpan[] {
  const match = line.length > MAX_VALUE_LENGTH ? null : VALUE_LINE.exec(line);
  const [at, end] = match?.indices?.groups?.["value"] ?? [0, 0];
  if (match === null || !isValueOf(section, match.groups ?? {})) return [];
  return [{ kind: KINDS[section.family], start: start + at, end: start + end }];
}

function isValueOf(
  { family, lines, isFenced }: Section,
  { label, item, value = "" }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (label !== undefined) return family === "password" && isMixedPassword(value);
  // A line further below belongs to the name only in a list.
  const isBelow = lines <= 1 || item !== undefined || isFenced;
  const isAdjacent = family === "token";
  return isBelow && isAssignedSecret({ family, value, isQuoted: false, isAdjacent });
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}
