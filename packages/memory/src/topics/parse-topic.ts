import { type FrontMatter, parseFrontMatter, splitFrontMatter } from "@caliban/common/front-matter";
import { normalizeText } from "../markdown/normalize.ts";
import { MAX_DESCRIPTION_CHARACTERS } from "./limits.ts";
import { oneLine } from "./one-line.ts";
import { scanHeader } from "./scan-header.ts";
import { isTopicType, TOPIC_TYPES, type TopicType } from "./topic-type.ts";

/** What a topic file says, however it was written. What is wrong with it stands in `problems`. */
export interface ParsedTopic extends TopicHeader {
  /** The Markdown below the header. */
  readonly body: string;
}

/** What the header of a topic says. */
export interface TopicHeader {
  /** One line; empty when the file has none. */
  readonly description: string;
  readonly type: TopicType | undefined;
  /** The name in the header; the file's own name is what counts. */
  readonly name: string | undefined;
  /** When it was last written, as the header has it. */
  readonly updated?: string | undefined;
  /** The session that wrote it. */
  readonly session?: string | undefined;
  /** The tools that had been used when the thought came up: where it may come from. */
  readonly after?: readonly string[] | undefined;
  /** Words that people give a note to find it by. */
  readonly tags?: readonly string[] | undefined;
  readonly problems: readonly TopicProblem[];
}

export interface TopicProblem {
  readonly code:
    | "NO_HEADER"
    | "BROKEN_HEADER"
    | "NO_DESCRIPTION"
    | "LONG_DESCRIPTION"
    | "NO_TYPE"
    | "UNKNOWN_TYPE";
  readonly message: string;
  readonly line: number;
}

/** Reads a topic. Nothing is refused here: a broken header costs the header, and is said. */
export function parseTopic(text: string): ParsedTopic {
  const normal = normalizeText(text);
  const data = scanHeader(normal);
  const split = data === undefined ? undefined : splitFrontMatter(normal);
  if (data !== undefined && split?.kind === "header") {
    return { ...topicHeader(data, normal), body: bodyOf({ ...split, data }) };
  }
  const parsed = parseFrontMatter(normal);
  const header = headerOf(parsed, normal);
  return { ...header, body: parsed.kind === "broken" ? normal : bodyOf(parsed) };
}

/** The header alone. The plain headers that we write are read by hand: there may be thousands in a list. */
export function parseTopicHeader(text: string): TopicHeader {
  const normal = normalizeText(headOf(text));
  const data = scanHeader(normal);
  return data === undefined
    ? headerOf(parseFrontMatter(normal), normal)
    : topicHeader(data, normal);
}

/** A text up to the line that could end a header, so that nobody works on a body that is not asked for. */
function headOf(text: string): string {
  const close = text.indexOf("\n---");
  const lineEnd = close === -1 ? -1 : text.indexOf("\n", close + 1);
  return lineEnd === -1 ? text : text.slice(0, lineEnd + 1);
}

/** A file has a blank line after its header and a line end at its end; neither belongs to the body. */
function bodyOf({ kind, body }: FrontMatter & { readonly body: string }): string {
  const start = kind === "header" && body.startsWith("\n") ? 1 : 0;
  return body.slice(start, body.endsWith("\n") && body.length > start ? -1 : undefined);
}

function headerOf(parsed: FrontMatter, text: string): TopicHeader {
  if (parsed.kind === "header") return topicHeader(parsed.data, text);
  const problem: TopicProblem =
    parsed.kind === "none"
      ? { code: "NO_HEADER", message: "The file has no header.", line: 1 }
      : { code: "BROKEN_HEADER", message: parsed.problem, line: parsed.line };
  return { description: "", type: undefined, name: undefined, problems: [problem] };
}

function topicHeader(data: Readonly<Record<string, unknown>>, text: string): TopicHeader {
  const metadata = mapOf(data["metadata"]);
  const description = oneLine(textOf(data["description"]) ?? "");
  // Claude Code has the type beside the name.
  const type = metadata["type"] ?? data["type"];
  return {
    description,
    type: isTopicType(type) ? type : undefined,
    name: textOf(data["name"]),
    updated: textOf(metadata["updated"]),
    session: textOf(metadata["session"]),
    after: listOf(metadata["after"]),
    tags: tagsOf(data["tags"] ?? metadata["tags"]),
    problems: [...descriptionProblems(description), ...typeProblems(type)].map(
      ({ code, message: sentence, key }) => ({ code, sentence, line: lineOfKey(text, key) }),
    ),
  };
}

/** A problem with the value of a key. */
interface KeyProblem extends Omit<TopicProblem, "line"> {
  readonly key: string;
}

/** Where a key stands in the header, else where the header begins. */
function lineOfKey(text: string, key: string): number {
  const lines = headOf(text).split("\n");
  return lines.findIndex((line) => line.trimStart().startsWith(`${key}:`)) + 1 || 1;
}

function descriptionProblems(description: string): readonly KeyProblem[] {
  if (description === "") {
    const sentence = "The header has no description, the line that the index shows.";
    return [{ code: "NO_DESCRIPTION", message: sentence, key: "description" }];
  }
  if (Array.from(description).length <= MAX_DESCRIPTION_CHARACTERS) return [];
  const sentence = `The description has more than ${MAX_DESCRIPTION_CHARACTERS} characters; the index cuts it.`;
  return [{ code: "LONG_DESCRIPTION", message: sentence, key: "description" }];
}

function typeProblems(type: unknown): readonly KeyProblem[] {
  if (isTopicType(type)) return [];
  if (type === undefined || type === null) {
    const sentence = `The header has no metadata.type: ${TOPIC_TYPES.join(", ")}.`;
    return [{ code: "NO_TYPE", message: sentence, key: "metadata" }];
  }
  // A list or a map may be long, and may even hold itself.
  const shown = textOf(type)?.slice(0, 40);
  const sentence = `The type ${shown === undefined ? "" : `${JSON.stringify(shown)} `}is none of ${TOPIC_TYPES.join(", ")}.`;
  return [{ code: "UNKNOWN_TYPE", message: sentence, key: "type" }];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  // A name such as 123 or true is read as what it looks like.
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  return value instanceof Date ? value.toISOString() : undefined;
}

function listOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  return items.flatMap((item) => textOf(item) ?? []);
}

/** A list, or texts with commas between them, as other programs write tags. */
function tagsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return (
    listOf(value) ??
    textOf(value)
      ?.split(",")
      .map((tag) => tag.trim())
  );
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
