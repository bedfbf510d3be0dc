import type { PermissionPolicy } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { sanitize, type TopicStore } from "@caliban/memory";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";
import { isMemoryShown, isTopicShown } from "./read-resource.ts";
import type { ServedProject } from "../../../../apps/caliban/src/commands/mcp/served-project.ts";

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

const PREFIX: ListedResource = {
  uri: "memory://prefix",
  name: "prefix",
  title: "Whole memory prefix",
  description:
    "What caliban puts before a system prompt: instruction files and the index, and behind it what it was built from.",
  mimeType: MARKDOWN,
};

const ROOT: ListedResource = {
  uri: "memory://root",
  name: "root",
  title: "Learned from past sessions",
  description: "A summary of what was learned from past sessions; memory://root/ lists its files.",
  mimeType: MARKDOWN,
};

/** Addresses with a part that is to be filled in. */
export const RESOURCE_TEMPLATES: readonly {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}[] = [
  {
    uriTemplate: "memory://topics/{slug}",
    name: "topic",
    title: "Memory topic",
    description: "One topic as its file has it, by the name that the index shows.",
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

/** Everything that may be read, in an order in which a place stays a place. */
export async function listResources(
  project: Pick<ServedProject, "notes" | "policy" | "hasLearned">,
): Promise<readonly ListedResource[]> {
  const { notes, policy, hasLearned } = project;
  if (!isMemoryShown(policy)) return [];
  if (notes === undefined) return [PREFIX];
  return [INDEX, PREFIX, ...(hasLearned ? [ROOT] : []), ...(await listTopics(notes, policy))];
}

async function listTopics(
  notes: Pick<TopicStore, "list">,
  policy: PermissionPolicy,
): Promise<readonly ListedResource[]> {
  const { topics } = await notes.list();
  return topics
    .filter(({ slug }) => isTopicShown(slug, policy))
    .map(({ slug, description, type, bytes, updatedMs }) => ({
      uri: `memory://topics/${encodeURIComponent(slug)}`,
      name: terminalSafeLine(slug),
      description: sanitize(terminalSafeLine(`${type ?? "untyped"}: ${description}`)),
      mimeType: MARKDOWN,
      size: bytes,
      annotations: { lastModified: new Date(updatedMs).toISOString() },
    }))
    .toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
}

/** Enough for most memories, and small enough for a message. */
export const PAGE_LENGTH = 200;

/**
 * A part of the list, and where the next one begins: behind an address, so that what comes or goes meanwhile makes
 * nothing be left out or shown twice.
 * @throws ProtocolError for a cursor that is none of ours
 */
export function pageOf(
  resources: readonly ListedResource[],
  cursor: string | undefined,
): { resources: ListedResource[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : startBehind(resources, addressOfCursor(cursor));
  const page = resources.slice(start, start + PAGE_LENGTH);
  const last = page.at(-1);
  const isLast = last === undefined || start + page.length === resources.length;
  return { resources: page, ...(isLast ? {} : { nextCursor: cursorOf(last.uri) }) };
}

function startBehind(resources: readonly ListedResource[], address: string): number {
  const exact = resources.findIndex(({ uri }) => uri === address);
  if (exact !== -1) return exact + 1;
  const next = resources.findIndex(({ uri }) => uri.startsWith(TOPICS) && uri > address);
  return next === -1 ? resources.length : next;
}

const TOPICS = "memory://topics/";

function cursorOf(address: string): string {
  return Buffer.from(address).toString("base64url");
}

function addressOfCursor(cursor: string): string {
  const address = Buffer.from(cursor, "base64url").toString();
  if (address.startsWith("memory://") && cursorOf(address) === cursor) return address;
  throw new ProtocolError(
    PROTOCOL_CODE.invalidParams,
    "The cursor is none that resources/list gave; begin without one.",
  );
}
