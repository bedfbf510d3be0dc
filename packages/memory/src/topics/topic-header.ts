import type { Diagnostic } from "@caliban/common";
import type { FrontMatter } from "@caliban/common/front-matter";
import { MAX_DESCRIPTION_CHARACTERS } from "./limits.ts";
import { oneLine } from "./one-line.ts";
import { parseTopicFields, type TopicFields } from "./topic-fields.ts";
import { isTopicType, TOPIC_TYPES, type TopicType } from "./topic-type.ts";

/** A topic file, written by any program. Anything wrong with it is in `problems`. */
export interface ParsedTopic extends TopicHeader {
  /** The Markdown below the header. */
  readonly body: string;
}

/** The header of a topic. */
export interface TopicHeader extends TopicFields {
  /** One line; empty if the file has none. */
  readonly description: string;
  readonly type: TopicType | undefined;
  /** The name in the header. The file name is the one that counts. */
  readonly name: string | undefined;
  /** When the topic was last written, according to the header. */
  readonly updated?: string | undefined;
  /** The session that wrote it. */
  readonly session?: string | undefined;
  /** The tools the agent had used before it wrote the topic: a hint at where the text comes from. */
  readonly after?: readonly string[] | undefined;
  /** Who shared it with a team, for topics that came from one. */
  readonly author?: string | undefined;
  /** Words that users add so that a topic can be found. */
  readonly tags?: readonly string[] | undefined;
  readonly problems: readonly TopicProblem[];
}

/** A flaw in the header of a topic. */
export interface TopicProblem extends Diagnostic<TopicProblemCode> {
  readonly line: number;
}

type TopicProblemCode =
  | "NO_HEADER"
  | "BROKEN_HEADER"
  | "NO_DESCRIPTION"
  | "LONG_DESCRIPTION"
  | "NO_TYPE"
  | "UNKNOWN_TYPE";

/** The header of a topic, from its front matter and the text of the file. */
export function headerOf(parsed: FrontMatter, text: string): TopicHeader {
  if (parsed.kind === "header") return toTopicHeader(parsed.data, text);
  const problem: TopicProblem =
    parsed.kind === "none"
      ? { code: "NO_HEADER", message: "The file has no header.", line: 1 }
      : { code: "BROKEN_HEADER", message: parsed.message, line: parsed.line };
  return { description: "", type: undefined, name: undefined, problems: [problem] };
}

/** The same for front matter whose values are known. */
export function toTopicHeader(data: Readonly<Record<string, unknown>>, text: string): TopicHeader {
  const metadata = mapOf(data["metadata"]);
  const description = oneLine(textOf(data["description"]) ?? "");
  // Claude Code puts the type next to the name.
  const type = metadata["type"] ?? data["type"];
  return {
    description,
    type: isTopicType(type) ? type : undefined,
    name: textOf(data["name"]),
    updated: textOf(metadata["updated"]),
    session: textOf(metadata["session"]),
    after: listOf(metadata["after"]),
    tags: tagsOf(data["tags"] ?? metadata["tags"]),
    ...authorOf(data["author"]),
    ...parseTopicFields(data, metadata),
    problems: [...descriptionProblems(description), ...typeProblems(type)].map(
      ({ code, message, key }) => ({ code, message, line: lineOfKey(text, key) }),
    ),
  };
}

/** The text up to the line that could end a header, to avoid work on a body that is not needed. */
export function headOf(text: string): string {
  const close = text.indexOf("\n---");
  const lineEnd = close === -1 ? -1 : text.indexOf("\n", close + 1);
  return lineEnd === -1 ? text : text.slice(0, lineEnd + 1);
}

/** A problem with the value of a key. */
interface KeyProblem extends Diagnostic<TopicProblemCode> {
  readonly key: string;
}

/** The line of a key; the first line if the header does not have the key. */
function lineOfKey(text: string, key: string): number {
  const lines = headOf(text).split("\n");
  return lines.findIndex((line) => line.trimStart().startsWith(`${key}:`)) + 1 || 1;
}

function authorOf(value: unknown): Pick<TopicHeader, "author"> {
  const author = oneLine(textOf(value) ?? "");
  return author === "" ? {} : { author };
}

function descriptionProblems(description: string): readonly KeyProblem[] {
  if (description === "") {
    const message = "The header has no description, which is the line shown in the index.";
    return [{ code: "NO_DESCRIPTION", message, key: "description" }];
  }
  if (Array.from(description).length <= MAX_DESCRIPTION_CHARACTERS) return [];
  const message = `The description is longer than ${MAX_DESCRIPTION_CHARACTERS} characters; the index truncates it.`;
  return [{ code: "LONG_DESCRIPTION", message, key: "description" }];
}

function typeProblems(type: unknown): readonly KeyProblem[] {
  if (isTopicType(type)) return [];
  const known = TOPIC_TYPES.join(", ");
  if (type === undefined || type === null) {
    const message = `The header has no metadata.type. Use one of ${known}.`;
    return [{ code: "NO_TYPE", message, key: "metadata" }];
  }
  // A list or a map may be long, and may even contain itself.
  const shown = textOf(type)?.slice(0, 40);
  const message = `Unknown type${shown === undefined ? "" : ` ${JSON.stringify(shown)}`}. Use one of ${known}.`;
  return [{ code: "UNKNOWN_TYPE", message, key: "type" }];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  // YAML reads a name such as 123 or true as a number or a boolean.
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  return value instanceof Date ? value.toISOString() : undefined;
}

function listOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  return items.flatMap((item) => textOf(item) ?? []);
}

/** A list, or a comma-separated text, which other programs write. */
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
