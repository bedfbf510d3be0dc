import { isRecord } from "@caliban/common";
import {
  type FlowValue,
  isPlainText,
  renderFlow,
  splitFrontMatter,
  type SplitFrontMatter,
} from "@caliban/common/front-matter";
import { normalizeText } from "../markdown/normalize.ts";
import { scanHeader } from "./scan-header.ts";
import type { TopicSlug } from "./slug.ts";
import {
  FIELD_KEYS,
  fieldValue,
  MEMORY_ORIGINS,
  parseTopicFields,
  type TopicFields,
  withKeptFields,
} from "./topic-fields.ts";
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

/**
 * A topic to be written. Fields that are left out keep the values of the file before, except `origin`, which describes
 * this write; an empty list removes one.
 */
export interface Topic extends TopicFields {
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
  const kept = before === undefined ? {} : generatedFields(before);
  const header = kept && renderPlainHeader(withKeptFields(topic, kept));
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
  const { name, description, type, session, updated, after = [], origin } = values;
  const fields = FIELD_KEYS.map((key) => renderField(key, fieldValue(key, values)));
  if (fields.includes(undefined)) return undefined;
  return [
    `name: ${name}\n`,
    `description: "${description}"\n`,
    ...fields,
    "metadata:\n  node_type: memory\n",
    `  type: ${type}\n`,
    ...(session === undefined ? [] : [`  session: ${session}\n`]),
    ...(updated === undefined ? [] : [`  updated: ${updated}\n`]),
    ...(after.length === 0 ? [] : [`  after: [${after.join(", ")}]\n`]),
    ...(origin === undefined ? [] : [`  origin: ${origin}\n`]),
  ].join("");
}

// Characters that the library escapes in another way, after backslashes were taken out.
const ESCAPED_BY_LIBRARY = /\\[nu]|[\p{Cc}\uFEFF]/u;

/** Empty for a field that has no value; `undefined` for one that needs the library. */
function renderField(key: string, value: FlowValue | undefined): string | undefined {
  if (value === undefined) return "";
  const flow = renderFlow(value);
  return ESCAPED_BY_LIBRARY.test(flow.replaceAll("\\\\", "")) ? undefined : `${key}: ${flow}\n`;
}

function isPlain(values: HeaderValues): boolean {
  const { name, description, session, updated, after = [], origin } = values;
  return (
    isPlainWord(name) &&
    PLAIN_DESCRIPTION.test(description) &&
    (session === undefined || SESSION.test(session)) &&
    (updated === undefined || TIME.test(updated)) &&
    after.every(isPlainWord) &&
    (origin === undefined || MEMORY_ORIGINS.includes(origin))
  );
}

function isPlainWord(word: string): boolean {
  return WORD.test(word) && isPlainText(word);
}

/**
 * The fields of a file with exactly a generated header, which can be replaced without losing anything else; `undefined`
 * for any other file.
 */
export function generatedFields(file: string): TopicFields | undefined {
  const text = normalizeText(file);
  const split = splitFrontMatter(text);
  const data = split.kind === "header" ? scanHeader(text) : undefined;
  if (split.kind !== "header" || data === undefined) return undefined;
  const metadata = isRecord(data["metadata"]) ? data["metadata"] : {};
  const values = { ...data, ...metadata };
  const fields = parseTopicFields(data, metadata);
  const texts = (key: string): string | undefined => {
    const value: unknown = Reflect.get(values, key);
    return typeof value === "string" ? value : undefined;
  };
  const after: unknown = Reflect.get(values, "after");
  const header = renderPlainHeader({
    ...fields,
    name: texts("name") ?? "",
    description: texts("description") ?? "",
    type: texts("type") ?? "",
    session: texts("session"),
    updated: texts("updated"),
    after: Array.isArray(after) ? after.map(String) : [],
  });
  return header === split.header ? fields : undefined;
}
