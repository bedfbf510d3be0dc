import { parseFrontMatter, splitFrontMatter, isPlainText } from "@caliban/common/front-matter";
import { Document, isMap, isScalar, parseDocument, Scalar, YAMLMap, type Alias, isAlias, type Node, visit } from "yaml";
import { normalizeText } from "../markdown/normalize.ts";
import type { TopicSlug } from "./slug.ts";
import type { TopicType } from "./topic-type.ts";
import { scanHeader } from "./scan-header.ts";

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
  // What is wholly ours is written anew; only what a person put there has to be kept.
  const kept = before === undefined || hasPlainHeader(before) ? undefined : before;
  const plain = kept === undefined ? renderPlainHeader(topic) : undefined;
  return plain === undefined ? renderWithYaml(topic, kept) : withHeader(plain, topic);
}

/** The same by the YAML library, which can take over any header. */
export function renderWithYaml(topic: Topic, before?: string): string {
  const header = before === undefined ? undefined : usableHeader(before);
  const kept = header && unlessTooDeep(() => withHeader(yamlOf(header, topic), topic));
  // A header that got too long to be read is as good as a broken one.
  return kept !== undefined && splitFrontMatter(kept).kind === "header"
    ? kept
    : withHeader(yamlOf(new Document<YAMLMap, false>({}), topic), topic);
}

/** The file under a new name, with nothing else changed. */
export function renameInHeader(text: string, name: TopicSlug): string {
  const split = splitFrontMatter(normalizeText(text));
  const header = usableHeader(text);
  if (split.kind !== "header" || header === undefined) return text;
  const rename = (): void => setText(header.contents, "name", name);
  const yaml = unlessTooDeep(() => changedYaml(header, rename));
  const renamed = `---\n${yaml}---\n${split.body}`;
  return yaml !== undefined && splitFrontMatter(renamed).kind === "header" ? renamed : text;
}

function withHeader(yaml: string, { body }: Topic): string {
  return `---\n${yaml}---\n\n${body}\n`;
}

function yamlOf(header: Header, topic: Topic): string {
  return changedYaml(header, () => setKeys(header, topic));
}

type Header = Document<YAMLMap, false>;

/** `undefined` for a header that nobody can read: the history keeps it, the file gets a new one. */
function usableHeader(before: string): Header | undefined {
  const parsed = parseFrontMatter(normalizeText(before));
  if (parsed.kind !== "header") return undefined;
  // A value with a tag such as !!binary is left as it was written.
  const options = { logLevel: "silent", resolveKnownTags: false } as const;
  const document = parseDocument<YAMLMap, false>(parsed.header, options);
  if (document.errors.length > 0) return undefined;
  if (isMap(document.contents)) return document;
  // Nothing but comments.
  document.contents = new YAMLMap();
  return document;
}

function changedYaml(header: Header, change: () => void): string {
  const targets = aliasTargets(header.contents);
  change();
  restoreAliases(header.contents, targets);
  return header.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** What is nested a thousand times can be read, but not written. */
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
  // Claude Code has the type beside the name: the two must not disagree.
  if (contents.has("type")) setText(contents, "type", topic.type);
  setText(metadata, "node_type", "memory");
  setText(metadata, "type", topic.type);
  setOrDelete(metadata, "session", topic.session);
  setOrDelete(metadata, "updated", topic.updated);
  const after = topic.after ?? [];
  if (after.length === 0) metadata.delete("after");
  else metadata.set("after", header.createNode(after, { flow: true }));
}

/** The map at a key, made when there is none. */
function mapAt(parent: YAMLMap, key: string): YAMLMap {
  const existing = parent.get(key);
  const map = isMap(existing) ? existing : new YAMLMap();
  // A set takes no texts.
  delete map.tag;
  if (map !== existing) parent.set(key, map);
  return map;
}

function setOrDelete(map: YAMLMap, key: string, value: string | undefined): void {
  if (value === undefined) map.delete(key);
  else setText(map, key, value);
}

/** A new description is quoted, so that none is ever read as something else. How a person wrote one stays. */
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

/** What every alias of a header stands for. */
export type AliasTargets = ReadonlyMap<Alias, Node>;

export function aliasTargets(header: YAMLMap): AliasTargets {
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

/** Lets the aliases keep what they stood for: where the anchor is gone, the first of them takes it over. */
export function restoreAliases(header: YAMLMap, targets: AliasTargets): void {
  const present = new Set<Node>();
  visit(header, {
    Node: (_key, node) => {
      const target = isAlias(node) ? targets.get(node) : undefined;
      const isGone = target !== undefined && !present.has(target);
      if (!isGone) {
        present.add(node);
        return undefined;
      }
      target.comment = node.comment ?? null;
      return target;
    },
  });
}

/** A header as we write it, without the YAML library: what goes into one, all of it plain. */
export type HeaderValues = Omit<Topic, "name" | "type" | "body"> & {
  readonly name: string;
  readonly type: string;
};

const SESSION = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const WORD = /^[A-Za-z][\w-]*$/;
// Nothing that the library would write in another way, and single spaces.
const PLAIN_DESCRIPTION = /^[^\p{Cc}\p{Cf}\p{Z}\p{Cs}\\"]+(?: [^\p{Cc}\p{Cf}\p{Z}\p{Cs}\\"]+)*$/u;

/** The header that the library would write, in a fraction of its time; `undefined` when it might write another. */
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

/** Whether a file has a header of ours and nothing else in it, so that it can be written anew. */
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
