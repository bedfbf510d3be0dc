import { splitFrontMatter } from "@caliban/common/front-matter";
import { Document, isMap, isScalar, parseDocument, Scalar, type YAMLMap } from "yaml";
import { normalizeText } from "../normalize.ts";
import type { TopicSlug } from "./slug.ts";
import type { TopicType } from "./topic-type.ts";

/** A topic as it is to be written. */
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
 * The text of a topic file. Of a file that was there before, only the keys that a write sets change: comments,
 * order and keys that we do not know stay.
 */
export function renderTopic(topic: Topic, before?: string): string {
  const header = headerDocument(before);
  setKeys(header, topic);
  const yaml = header.toString({ lineWidth: 0, flowCollectionPadding: false });
  return `---\n${yaml}---\n\n${topic.body}\n`;
}

/** The file under a new name, with nothing else changed. */
export function renameInHeader(text: string, name: TopicSlug): string {
  const split = splitFrontMatter(normalizeText(text));
  const header = split.kind === "header" ? usableDocument(split.header) : undefined;
  if (split.kind !== "header" || header === undefined) return text;
  setScalar(header, "name", name);
  return `---\n${header.toString({ lineWidth: 0 })}---\n${split.body}`;
}

type Header = Document<YAMLMap, false> | Document.Parsed;

function headerDocument(before: string | undefined): Header {
  const split = before === undefined ? undefined : splitFrontMatter(normalizeText(before));
  const document = split?.kind === "header" ? usableDocument(split.header) : undefined;
  return document ?? new Document<YAMLMap, false>({});
}

/** `undefined` for a header that is no map of keys: the history keeps it, the file gets a new one. */
function usableDocument(header: string): Header | undefined {
  const document = parseDocument(header, { logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  return isMap(document.contents) ? document : undefined;
}

function setKeys(header: Header, topic: Topic): void {
  setScalar(header, "name", topic.name);
  setScalar(header, "description", topic.description);
  if (!isMap(header.get("metadata"))) header.set("metadata", header.createNode({}));
  // Claude Code has the type beside the name: the two must not disagree.
  if (header.has("type")) setScalar(header, "type", topic.type);
  header.setIn(["metadata", "node_type"], "memory");
  header.setIn(["metadata", "type"], topic.type);
  setOrDelete(header, "session", topic.session);
  setOrDelete(header, "updated", topic.updated);
  const after = topic.after ?? [];
  setOrDelete(
    header,
    "after",
    after.length === 0 ? undefined : header.createNode(after, { flow: true }),
  );
}

function setOrDelete(header: Header, key: string, value: unknown): void {
  if (value !== undefined) header.setIn(["metadata", key], value);
  else header.deleteIn(["metadata", key]);
}

/** A new text is quoted, so that no description is ever read as something else. What a person chose stays. */
function setScalar(header: Header, key: "name" | "description" | "type", value: string): void {
  const existing = header.get(key, true);
  if (isScalar(existing) && existing.anchor === undefined) {
    existing.value = value;
    return;
  }
  const scalar = new Scalar(value);
  if (key === "description") scalar.type = Scalar.QUOTE_DOUBLE;
  header.set(key, scalar);
}
