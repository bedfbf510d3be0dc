import type { PermissionPolicy } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { sanitize, type TopicStore } from "@caliban/memory";
import { ALL_MEMORY, memoryPermission } from "@caliban/tools-builtin";
import { PROTOCOL_CODE, ProtocolError } from "../protocol-error.ts";
import type { ServedMemory } from "../served-memory.ts";

/** A resource as `resources/list` shows it. */
export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  description: string;
  mimeType: string;
  size?: number;
  annotations?: { lastModified: string };
}

const MARKDOWN = "text/markdown";

const INDEX: ListedResource = {
  uri: "memory://index",
  name: "index",
  title: "Memory index",
  description: "One line for each topic of this project's memory, newest first.",
  mimeType: MARKDOWN,
};

const USER_INDEX: ListedResource = {
  uri: "memory://user/index",
  name: "user-index",
  title: "Index of the user's memory",
  description: "One line for each topic about the user that holds in every project, newest first.",
  mimeType: MARKDOWN,
};

const PREFIX: ListedResource = {
  uri: "memory://prefix",
  name: "prefix",
  title: "Whole memory prefix",
  description:
    "What caliban puts before a system prompt: instruction files and the index, followed by what it was built from.",
  mimeType: MARKDOWN,
};

const ROOT: ListedResource = {
  uri: "memory://root",
  name: "root",
  title: "Learned from past sessions",
  description: "A summary of what was learned from past sessions; memory://root/ lists its files.",
  mimeType: MARKDOWN,
};

/** Addresses with a variable part. */
export function resourceTemplates({
  userTopics,
}: Pick<ServedMemory, "userTopics">): readonly ResourceTemplate[] {
  return userTopics === undefined ? TEMPLATES : [...TEMPLATES, USER_TEMPLATE];
}

interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

const USER_TEMPLATE: ResourceTemplate = {
  uriTemplate: "memory://user/topics/{slug}",
  name: "user-topic",
  title: "Topic about the user",
  description: "The file of one topic about the user, by its name in the index.",
  mimeType: MARKDOWN,
};

const TEMPLATES: readonly ResourceTemplate[] = [
  {
    uriTemplate: "memory://topics/{slug}",
    name: "topic",
    title: "Memory topic",
    description: "The file of one topic, by its name in the index.",
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: "memory://root/{+path}",
    name: "learned",
    title: "Learned file",
    description: "One file of what was learned from past sessions.",
    mimeType: MARKDOWN,
  },
];

/** Everything that clients may read, in a stable order. */
export async function listResources(
  memory: Pick<ServedMemory, "topics" | "userTopics" | "policy" | "hasLearned" | "hasPrefix">,
): Promise<readonly ListedResource[]> {
  const { topics, userTopics, policy, hasLearned = false, hasPrefix = false } = memory;
  if (!isReadable(ALL_MEMORY, policy)) return [];
  const prefix = hasPrefix ? [PREFIX] : [];
  if (topics === undefined) return prefix;
  const learned = hasLearned ? [ROOT] : [];
  const user = userTopics === undefined ? [] : await listTopics(userTopics, policy, USER_TOPICS);
  return [
    INDEX,
    ...prefix,
    ...learned,
    ...(await listTopics(topics, policy, TOPICS)),
    // After the topics of the project, whose addresses are smaller.
    ...(user.length === 0 ? [] : [USER_INDEX, ...user]),
  ];
}

async function listTopics(
  store: Pick<TopicStore, "list">,
  policy: PermissionPolicy,
  start: string,
): Promise<readonly ListedResource[]> {
  const { topics } = await store.list();
  return topics
    .filter(({ slug }) => isReadable(`${start}${slug}`, policy))
    .map(({ slug, description, type, bytes, updatedMs }) => ({
      uri: `${start}${encodeURIComponent(slug)}`,
      name: terminalSafeLine(slug),
      description: sanitize(terminalSafeLine(`${type ?? "untyped"}: ${description}`)),
      mimeType: MARKDOWN,
      size: bytes,
      annotations: { lastModified: new Date(updatedMs).toISOString() },
    }))
    .toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
}

const TOPICS = "memory://topics/";
const USER_TOPICS = "memory://user/topics/";

/** No one can be asked, so only `allow` counts. */
function isReadable(address: string, policy: PermissionPolicy): boolean {
  return memoryPermission(address, policy) === "allow";
}

/** Enough for most memories, and small enough for a message. */
export const PAGE_LENGTH = 200;

/**
 * One page of the list. The cursor is the last address of the page before, so that resources that are added or removed
 * in between cause no gaps and no repetitions.
 * @throws ProtocolError for an invalid cursor
 */
export function pageOf(
  resources: readonly ListedResource[],
  cursor: string | undefined,
): { resources: ListedResource[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : startAfter(resources, parseCursor(cursor));
  const page = resources.slice(start, start + PAGE_LENGTH);
  const last = page.at(-1);
  const isLast = last === undefined || start + page.length === resources.length;
  return { resources: page, ...(isLast ? {} : { nextCursor: renderCursor(last.uri) }) };
}

function startAfter(resources: readonly ListedResource[], address: string): number {
  const exact = resources.findIndex(({ uri }) => uri === address);
  if (exact !== -1) return exact + 1;
  const next = resources.findIndex(
    ({ uri }) => [TOPICS, USER_TOPICS].some((start) => uri.startsWith(start)) && uri > address,
  );
  return next === -1 ? resources.length : next;
}

/** Base64url. Addresses are ASCII, because slugs are percent-encoded in them. */
function renderCursor(address: string): string {
  return btoa(address).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function parseCursor(cursor: string): string {
  const base64 = cursor.replaceAll("-", "+").replaceAll("_", "/");
  const isBase64 = /^[\w+/-]+$/.test(cursor) && cursor.length % 4 !== 1;
  const address = isBase64 ? atob(base64) : "";
  if (address.startsWith("memory://") && renderCursor(address) === cursor) return address;
  throw new ProtocolError(
    PROTOCOL_CODE.invalidParams,
    "invalid cursor; call resources/list without one",
  );
}

/** The protocol allows no more values in one answer. */
const MAX_COMPLETIONS = 100;

/** Completes the name of a topic. */
export async function completeSlug(
  typed: string,
  { topics: store, policy }: Pick<ServedMemory, "topics" | "policy">,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const topics =
    store === undefined || !isReadable(ALL_MEMORY, policy) ? [] : (await store.list()).topics;
  const prefix = typed.toLowerCase();
  const slugs = topics
    .map(({ slug }) => slug)
    .filter((slug) => slug.toLowerCase().startsWith(prefix))
    .filter((slug) => isReadable(`${TOPICS}${slug}`, policy));
  const values = slugs.slice(0, MAX_COMPLETIONS);
  return { values, total: slugs.length, hasMore: slugs.length > values.length };
}
