import { renderFlow } from "@caliban/common/front-matter";
import { isMemoryError, MemoryError } from "../errors.ts";
import { isSafeGlob } from "../prompt/rules.ts";
import { parseTopicSlug, slugKey, type TopicSlug } from "../topics/slug.ts";
import {
  type Applies,
  type Evidence,
  FIELD_KEYS,
  fieldValue,
  type TopicFields,
} from "../topics/topic-fields.ts";

/** The fields of a write. One that is left out stays as it is; an empty one is removed. */
export type WrittenFields = Pick<TopicFields, "applies" | "evidence" | "supersedes" | "expect">;

const MAX_PATTERNS = 32;
const MAX_SUPERSEDED = 32;
const MAX_EVIDENCE = 10;
const MAX_EXPECTATIONS = 20;
const MAX_COMMAND_CHARACTERS = 256;
const MAX_COMMAND_STARS = 4;
const MAX_PATH_CHARACTERS = 500;
const MAX_SNIPPET_CHARACTERS = 200;
const MAX_EXPECTATION_CHARACTERS = 300;
/** All fields together: half of a header, whose other half is for the keys of the user and of other programs. */
const MAX_FIELDS_CHARACTERS = 8_000;

/**
 * Validates the fields of a topic.
 * @throws MemoryError `INVALID_TOPIC` or `INVALID_SLUG`
 */
export function checkFields(fields: WrittenFields, slug: TopicSlug): WrittenFields {
  const { applies, evidence, supersedes, expect } = fields;
  const checked = {
    ...(applies === undefined ? {} : { applies: checkApplies(applies) }),
    ...(evidence === undefined ? {} : { evidence: checkEvidence(evidence) }),
    ...(supersedes === undefined ? {} : { supersedes: checkSupersedes(supersedes, slug) }),
    ...(expect === undefined ? {} : { expect: checkExpect(expect) }),
  };
  const characters = FIELD_KEYS.map((key) => renderFlow(fieldValue(key, checked) ?? "").length);
  const total = characters.reduce((sum, length) => sum + length, 0);
  if (total > MAX_FIELDS_CHARACTERS) {
    throw invalid(
      `applies, supersedes, evidence and expect have ${total} characters together; the limit is ${MAX_FIELDS_CHARACTERS}`,
    );
  }
  return checked;
}

/** What is wrong with the fields of a stored topic, which any program may have written; such a part is ignored. */
export function findFieldProblem(
  { applies, evidence }: TopicFields,
  slug: TopicSlug,
): string | undefined {
  const glob = applies?.paths.find((path) => literalGlob(path) !== path);
  if (glob !== undefined) {
    return `applies.paths: ${shown(glob)} must have a backslash before parentheses, and before a plus after a bracket or a brace`;
  }
  try {
    checkFields({ applies, evidence }, slug);
    return undefined;
  } catch (error) {
    if (isMemoryError(error)) return error.message;
    throw error;
  }
}

/** The texts in which secrets are searched. Checksums are left out, because they look like secrets. */
export function textsOfFields({
  applies,
  evidence = [],
  supersedes = [],
  expect = [],
}: WrittenFields): Readonly<Record<string, string>> {
  const patterns = [...(applies?.paths ?? []), ...(applies?.commands ?? [])];
  return {
    "list of what it applies to": patterns.join("\n\n"),
    evidence: evidence.flatMap(({ path, snippet }) => [path, snippet]).join("\n\n"),
    "list of superseded topics": supersedes.join("\n\n"),
    "list of expected answers": expect.join("\n\n"),
  };
}

function checkApplies({ paths = [], commands = [] }: Partial<Applies>): Applies {
  assertCount("applies.paths", paths, MAX_PATTERNS);
  assertCount("applies.commands", commands, MAX_PATTERNS);
  return { paths: unique(paths.map(checkGlob)), commands: unique(commands.map(checkCommand)) };
}

function checkGlob(glob: string): string {
  const path = literalGlob(checkPath("applies.paths", glob));
  if (isSafeGlob(path)) return path;
  throw invalid(
    `applies.paths: ${shown(glob)} has too many stars or alternatives; use at most 3 stars in one name, ** at most 3 times, and few alternatives in braces`,
  );
}

/** Directories such as `(shop)` are common. After a bracket or a brace, a plus would mean repetition. */
function literalGlob(path: string): string {
  return path.replaceAll(/\\.|[()]|(?<=[\]}])\+/gs, (found) =>
    found.startsWith("\\") ? found : `\\${found}`,
  );
}

function checkCommand(command: string): string {
  const text = checkLine("applies.commands", command, MAX_COMMAND_CHARACTERS);
  if (text.split("*").length - 1 <= MAX_COMMAND_STARS) return text;
  throw invalid(`applies.commands: ${shown(command)} has more than ${MAX_COMMAND_STARS} stars`);
}

// Inside braces as well: {..,src}/x
const PARENT = /(?:^|[/\\,{])\.\.(?:$|[/\\,}])/;
const ABSOLUTE = /^(?:[/\\~]|[A-Za-z]:)/;

/** A path relative to the root of the workspace that does not leave it, without a leading `./`. */
function checkPath(field: string, path: string): string {
  const text = checkLine(field, path, MAX_PATH_CHARACTERS).replace(/^(?:\.\/)+(?=.)/, "");
  if (ABSOLUTE.test(text)) {
    throw invalid(`${field}: ${shown(path)} must be relative to the root of the workspace`);
  }
  if (PARENT.test(text)) throw invalid(`${field}: ${shown(path)} must not contain ".."`);
  return text;
}

function checkEvidence(evidence: readonly Evidence[]): readonly Evidence[] {
  assertCount("evidence", evidence, MAX_EVIDENCE);
  return evidence.map(({ path, sha256, snippet }) => {
    if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) {
      throw invalid("evidence: sha256 must have 64 hexadecimal digits");
    }
    if (typeof snippet !== "string" || snippet.trim() === "") {
      throw invalid("evidence: the snippet is empty; quote a line of the file");
    }
    if (/[\p{Cc}\u2028\u2029]/u.test(snippet.replaceAll("\t", "")) || !snippet.isWellFormed()) {
      throw invalid("evidence: the snippet must be part of one line, without control characters");
    }
    if (Array.from(snippet).length > MAX_SNIPPET_CHARACTERS) {
      throw invalid(`evidence: the snippet is longer than ${MAX_SNIPPET_CHARACTERS} characters`);
    }
    return { path: checkPath("evidence", path), sha256, snippet };
  });
}

function checkSupersedes(names: readonly string[], slug: TopicSlug): readonly TopicSlug[] {
  assertCount("supersedes", names, MAX_SUPERSEDED);
  const slugs = names.map((name) => parseTopicSlug(checkLine("supersedes", name, 255)));
  if (slugs.some((other) => slugKey(other) === slugKey(slug))) {
    throw invalid(`supersedes: ${shown(slug)} cannot supersede itself`);
  }
  return [...new Map(slugs.map((other) => [slugKey(other), other])).values()];
}

function checkExpect(expect: readonly string[]): readonly string[] {
  assertCount("expect", expect, MAX_EXPECTATIONS);
  return unique(expect.map((text) => checkLine("expect", text, MAX_EXPECTATION_CHARACTERS)));
}

function assertCount(field: string, items: readonly unknown[], max: number): void {
  if (!Array.isArray(items)) throw invalid(`${field} must be a list`);
  if (items.length > max) {
    throw invalid(`${field} has ${items.length} entries; the limit is ${max}`);
  }
}

function checkLine(field: string, text: string, maxCharacters: number): string {
  if (typeof text !== "string") throw invalid(`${field} must be a list of texts`);
  const line = text.trim();
  if (line === "") throw invalid(`${field} has an empty entry`);
  if (/[\p{Cc}\u2028\u2029\uFEFF]/u.test(line) || !line.isWellFormed()) {
    throw invalid(`${field}: ${shown(text)} must be one line without control characters`);
  }
  if (line.length > maxCharacters) {
    throw invalid(`${field}: ${shown(text)} is longer than ${maxCharacters} characters`);
  }
  return line;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

function invalid(message: string): MemoryError {
  return new MemoryError("INVALID_TOPIC", message);
}
