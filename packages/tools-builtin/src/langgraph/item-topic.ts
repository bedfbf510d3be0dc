import { isRecord, terminalSafeLine } from "@caliban/common";
import { MAX_DESCRIPTION_CHARACTERS, type StoredTopic } from "@caliban/memory";
import { findJsonProblem } from "./json-value.ts";
import type { LangGraphGet, LangGraphItem } from "./langgraph-types.ts";

/** What a topic of an item contains besides its value. */
interface ItemId {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** The name of the topic of an item: readable words, then a hash of the exact namespace and key. */
export function itemSlug({ namespace, key }: ItemId): string {
  const words = [...namespace, key]
    .join("-")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, "");
  return `${words === "" ? "item" : words}-${hash(JSON.stringify([namespace, key]))}`;
}

/** FNV-1a with 64 bits. Two items with the same hash are told apart by the topic's text, and refused. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  }
  return value.toString(16).padStart(16, "0");
}

export function itemDescription({ namespace, key }: ItemId): string {
  const line = terminalSafeLine(`${key} of ${namespace.join("/")}`.toWellFormed());
  const plain = line.replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(plain);
  if (characters.length <= MAX_DESCRIPTION_CHARACTERS) return plain;
  return `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}

/** The body of a topic: one block of JSON, so that nothing is lost. */
export function renderItem(item: {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly created: string;
}): string {
  const { namespace, key, value, created } = item;
  const problem = findJsonProblem(value);
  if (problem !== undefined) throw new Error(`cannot store ${JSON.stringify(key)}: ${problem}`);
  const json = JSON.stringify({ namespace, key, created, value }, undefined, 2)
    // Two brackets only follow each other in a text, where they would be a link that a rename rewrites.
    .replaceAll("[[", "[\\u005b");
  return `\`\`\`json\n${json}\n\`\`\``;
}

/** Reads the item of a topic; `undefined` for a topic that is not an item. */
export function parseItem({ topic, updatedMs }: StoredTopic): LangGraphItem | undefined {
  const json = /^```json\n(.*)\n```\s*$/su.exec(topic.body.trim())?.[1];
  if (json === undefined) return undefined;
  const data = parseJson(json);
  if (!isRecord(data)) return undefined;
  const { namespace, key, created, value } = data;
  const isItem =
    Array.isArray(namespace) &&
    namespace.every((label) => typeof label === "string") &&
    typeof key === "string" &&
    typeof created === "string" &&
    isRecord(value);
  if (!isItem) return undefined;
  const [createdAt, updatedAt] = [new Date(created), new Date(updatedMs)];
  return { value: { ...value }, key, namespace, createdAt, updatedAt };
}

export function isSameItem(one: LangGraphGet, other: ItemId): boolean {
  return (
    one.key === other.key &&
    one.namespace.length === other.namespace.length &&
    one.namespace.every((label, at) => label === other.namespace[at])
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
