import { parseFrontMatter, splitFrontMatter } from "@caliban/common/front-matter";
import {
  type Alias,
  Document,
  isAlias,
  isMap,
  isScalar,
  type Node,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
} from "yaml";
import { normalizeText } from "../markdown/normalize.ts";
import { hasPlainHeader, renderPlainTopic, type Topic, withHeader } from "./plain-topic.ts";
import type { TopicSlug } from "./slug.ts";

/**
 * Renders a topic file. If the file existed before, only the keys that a write sets change: comments, order and unknown
 * keys are kept.
 */
export function renderTopic(topic: Topic, before?: string): string {
  return renderPlainTopic(topic, before) ?? renderWithYaml(topic, unlessGenerated(before));
}

function unlessGenerated(before: string | undefined): string | undefined {
  return before !== undefined && hasPlainHeader(before) ? undefined : before;
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
  const split = splitFrontMatter(normalizeText(text));
  const header = parseHeader(text);
  if (split.kind !== "header" || header === undefined) return text;
  const rename = (): void => setText(header.contents, "name", name);
  const yaml = unlessTooDeep(() => changeHeader(header, rename));
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
