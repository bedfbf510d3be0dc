import { isPlainText, splitFrontMatter, type SplitFrontMatter } from "@caliban/common/front-matter";
import { normalizeText } from "../markdown/normalize.ts";
import { scanHeader } from "./scan-header.ts";
import type { TopicSlug } from "./slug.ts";
import { headerOf, type ParsedTopic, toTopicHeader } from "./topic-header.ts";
import type { TopicType } from "./topic-type.ts";

// Topic files that need no YAML library: nearly all of them, and the library is large and slow to load.

/** Reads a topic exactly as with a YAML parser; `undefined` if its header needs one. */
export function parsePlainTopic(text: string): ParsedTopic | undefined {
  const normal = normalizeText(text);
  const split = splitFrontMatter(normal);
  if (split.kind === "broken") return { ...headerOf(split, normal), body: normal };
  if (split.kind === "none") return { ...headerOf(split, normal), body: bodyOf(split) };
  const data = scanHeader(normal);
  return data && { ...toTopicHeader(data, normal), body: bodyOf(split) };
}

/** The blank line after the header and the final line end belong to the file, not to the body. */
export function bodyOf({
  kind,
  body,
}: Pick<SplitFrontMatter, "kind"> & { readonly body: string }): string {
  const start = kind === "header" && body.startsWith("\n") ? 1 : 0;
  return body.slice(start, body.endsWith("\n") && body.length > start ? -1 : undefined);
}

/** A topic to be written. */
export interface Topic {
  readonly name: TopicSlug;
  readonly description: string;
  readonly type: TopicType;
  readonly body: string;
  /** The time of the write, in ISO 8601. */
  readonly updated?: string | undefined;
  readonly session?: string | undefined;
  readonly after?: readonly string[] | undefined;
}

/**
 * Renders a topic file exactly as with the YAML library; `undefined` if that needs the library. A generated header of the
 * file before is simply replaced; only what a user put there has to be kept.
 */
export function renderPlainTopic(topic: Topic, before?: string): string | undefined {
  if (before !== undefined && !hasPlainHeader(before)) return undefined;
  const header = renderPlainHeader(topic);
  return header === undefined ? undefined : withHeader(header, topic);
}

export function withHeader(yaml: string, { body }: Topic): string {
  return `---\n${yaml}---\n\n${body}\n`;
}

/** The values of a header, for rendering it without the YAML library. */
export type HeaderValues = Omit<Topic, "name" | "type" | "body"> & {
  readonly name: string;
  readonly type: string;
};

const SESSION = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const WORD = /^[A-Za-z][\w-]*$/;
// Single spaces, and nothing that the library would escape or render in another way.
const PLAIN_DESCRIPTION = /^[^\p{Cc}\p{Cf}\p{Z}\p{Cs}\\"]+(?: [^\p{Cc}\p{Cf}\p{Z}\p{Cs}\\"]+)*$/u;

/** Exactly the header that the library would render, in a fraction of the time; `undefined` if that is not certain. */
export function renderPlainHeader(values: HeaderValues): string | undefined {
  if (!isPlain(values)) return undefined;
  const { name, description, type, session, updated, after = [] } = values;
  return [
    `name: ${name}\n`,
    `description: "${description}"\n`,
    "metadata:\n  node_type: memory\n",
    `  type: ${type}\n`,
    ...(session === undefined ? [] : [`  session: ${session}\n`]),
    ...(updated === undefined ? [] : [`  updated: ${updated}\n`]),
    ...(after.length === 0 ? [] : [`  after: [${after.join(", ")}]\n`]),
  ].join("");
}

function isPlain({ name, description, session, updated, after = [] }: HeaderValues): boolean {
  return (
    isPlainWord(name) &&
    PLAIN_DESCRIPTION.test(description) &&
    (session === undefined || SESSION.test(session)) &&
    (updated === undefined || TIME.test(updated)) &&
    after.every(isPlainWord)
  );
}

function isPlainWord(word: string): boolean {
  return WORD.test(word) && isPlainText(word);
}

/** Whether a file has exactly a generated header, which can be replaced without losing anything. */
export function hasPlainHeader(file: string): boolean {
  const text = normalizeText(file);
  const split = splitFrontMatter(text);
  const data = split.kind === "header" ? scanHeader(text) : undefined;
  if (split.kind !== "header" || data === undefined) return false;
  const metadata: unknown = data["metadata"];
  const values = { ...data, ...(typeof metadata === "object" ? metadata : {}) };
  const texts = (key: string): string | undefined => {
    const value: unknown = Reflect.get(values, key);
    return typeof value === "string" ? value : undefined;
  };
  const after: unknown = Reflect.get(values, "after");
  const header = renderPlainHeader({
    name: texts("name") ?? "",
    description: texts("description") ?? "",
    type: texts("type") ?? "",
    session: texts("session"),
    updated: texts("updated"),
    after: Array.isArray(after) ? after.map(String) : [],
  });
  return header === split.header;
}
