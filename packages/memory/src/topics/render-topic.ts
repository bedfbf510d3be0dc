import { type FlowValue, parseFrontMatter, splitFrontMatter } from "@caliban/common/front-matter";
import {
  type Alias,
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { normalizeText } from "../markdown/normalize.ts";
import { generatedFields, renderPlainTopic, type Topic, withHeader } from "./plain-topic.ts";
import type { TopicSlug } from "./slug.ts";
import { FIELD_KEYS, fieldValue, type TopicFields, withKeptFields } from "./topic-fields.ts";

/**
 * Renders a topic file. If the file existed before, only the keys that a write sets change: comments, order and unknown
 * keys are kept.
 */
export function renderTopic(topic: Topic, before?: string): string {
  const plain = renderPlainTopic(topic, before);
  if (plain !== undefined) return plain;
  const kept = before === undefined ? undefined : generatedFields(before);
  return kept === undefined
    ? renderWithYaml(topic, before)
    : renderWithYaml(withKeptFields(topic, kept));
}

/** Renders a topic with the YAML library, which can keep any header. */
export function renderWithYaml(topic: Topic, before?: string): string {
  const header = before === undefined ? undefined : parseHeader(before);
  const kept = header && unlessTooDeep(() => withHeader(renderHeader(header, topic), topic));
  // A header that has become too long to be read again is replaced like a broken one.
  return kept !== undefined && splitFrontMatter(kept).kind === "header"
    ? kept
    : withHeader(renderHeader(new Document<YAMLMap, false>({}), topic), topic);
}

/** The file with a new name in its header and nothing else changed. */
export function renameInHeader(text: string, name: TopicSlug): string {
  return changeInHeader(text, ({ contents }) => setText(contents, "name", name));
}

/** The file with other values of these fields in its header and nothing else changed. */
export function setFieldsInHeader(text: string, fields: TopicFields): string {
  return changeInHeader(text, ({ contents }) => setFields(contents, fields));
}

/** The same text if it has no header, or none that can be changed. */
function changeInHeader(text: string, change: (header: Header) => void): string {
  const split = splitFrontMatter(normalizeText(text));
  const header = parseHeader(text);
  if (split.kind !== "header" || header === undefined) return text;
  const yaml = unlessTooDeep(() => changeHeader(header, () => change(header)));
  const renamed = `---\n${yaml}---\n${rawBody(text, split.body)}`;
  return yaml !== undefined && splitFrontMatter(renamed).kind === "header" ? renamed : text;
}

/** The body of a file with the line ends that it has there. */
function rawBody(text: string, body: string): string {
  const normal = normalizeText(text);
  if (normal === text || body === "") return body;
  const headerLines = normal.slice(0, -body.length).split("\n").length - 1;
  const lineEnd = [...text.matchAll(/\r\n?|\n/g)][headerLines - 1];
  return lineEnd === undefined ? body : text.slice(lineEnd.index + lineEnd[0].length);
}

function renderHeader(header: Header, topic: Topic): string {
  return changeHeader(header, () => setKeys(header, topic));
}

type Header = Document<YAMLMap, false>;

/** `undefined` for an unreadable header: the history keeps it, and the file gets a new one. */
function parseHeader(before: string): Header | undefined {
  const parsed = parseFrontMatter(normalizeText(before));
  if (parsed.kind !== "header") return undefined;
  // A value with a tag such as !!binary stays as it was written.
  const options = { logLevel: "silent", resolveKnownTags: false } as const;
  const document = parseDocument<YAMLMap, false>(parsed.header, options);
  if (document.errors.length > 0) return undefined;
  if (isMap(document.contents)) return document;
  // Nothing but comments.
  document.contents = new YAMLMap();
  return document;
}

function changeHeader(header: Header, change: () => void): string {
  const targets = aliasTargets(header.contents);
  change();
  restoreAliases(header.contents, targets);
  return header.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** YAML nested a thousand levels deep can be parsed but not rendered. */
function unlessTooDeep<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

function setKeys(header: Header, topic: Topic): void {
  const { contents } = header;
  delete contents.tag;
  setText(contents, "name", topic.name);
  setText(contents, "description", topic.description);
  setFields(contents, topic);
  const metadata = mapAt(contents, "metadata");
  // Claude Code puts the type next to the name: the two must not disagree.
  if (contents.has("type")) setText(contents, "type", topic.type);
  setText(metadata, "node_type", "memory");
  setText(metadata, "type", topic.type);
  setOrDelete(metadata, "session", topic.session);
  setOrDelete(metadata, "updated", topic.updated);
  const after = topic.after ?? [];
  if (after.length === 0) metadata.delete("after");
  else metadata.set("after", header.createNode(after, { flow: true }));
  setOrDelete(metadata, "origin", topic.origin);
}

/** Fields that are left out stay as they are. */
function setFields(contents: YAMLMap, fields: TopicFields): void {
  for (const key of FIELD_KEYS) {
    if (fields[key] === undefined) continue;
    const value = fieldValue(key, fields);
    const node = value === undefined ? undefined : flowNode(value);
    const existing = contents.get(key, true);
    if (node !== undefined && isNode(existing)) node.comment = existing.comment ?? null;
    if (node === undefined) contents.delete(key);
    else contents.set(key, node);
  }
}

/** One line of JSON. */
function flowNode(value: FlowValue): Scalar | YAMLSeq | YAMLMap {
  if (typeof value === "string") {
    const scalar = new Scalar(value);
    scalar.type = Scalar.QUOTE_DOUBLE;
    return scalar;
  }
  const node = Array.isArray(value) ? new YAMLSeq() : new YAMLMap();
  node.flow = true;
  node.items = Array.isArray(value)
    ? value.map(flowNode)
    : Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : [new Pair(flowNode(key), flowNode(item))],
      );
  return node;
}

/** The map at a key, created if it is missing. */
function mapAt(parent: YAMLMap, key: string): YAMLMap {
  const existing = parent.get(key);
  const map = isMap(existing) ? existing : new YAMLMap();
  // With the tag !!set, the map could not hold texts.
  delete map.tag;
  if (map !== existing) parent.set(key, map);
  return map;
}

function setOrDelete(map: YAMLMap, key: string, value: string | undefined): void {
  if (value === undefined) map.delete(key);
  else setText(map, key, value);
}

/** Quotes a new description, so that YAML never reads it as anything but text. An existing value keeps its style. */
function setText(map: YAMLMap, key: string, value: string): void {
  const existing = map.get(key, true);
  if (isScalar(existing) && existing.anchor === undefined) {
    existing.value = value;
    delete existing.tag;
    return;
  }
  const scalar = new Scalar(value);
  if (key === "description") scalar.type = Scalar.QUOTE_DOUBLE;
  if (isScalar(existing)) scalar.comment = existing.comment ?? null;
  map.set(key, scalar);
}

/** The node that each alias of a header refers to. */
type AliasTargets = ReadonlyMap<Alias, Node>;

function aliasTargets(header: YAMLMap): AliasTargets {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(header, {
    Node: (_key, node) => {
      const target = isAlias(node) ? anchored.get(node.source) : undefined;
      if (isAlias(node) && target !== undefined) targets.set(node, target);
      if (!isAlias(node) && node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

/** Keeps the values of aliases whose anchor was replaced: the first such alias becomes the anchor. */
function restoreAliases(header: YAMLMap, targets: AliasTargets): void {
  const present = new Set<Node>();
  visit(header, {
    Node: (_key, node) => {
      const target = isAlias(node) ? targets.get(node) : undefined;
      const isMissing = target !== undefined && !present.has(target);
      if (!isMissing) {
        present.add(node);
        return undefined;
      }
      target.comment = node.comment ?? null;
      return target;
    },
  });
}
