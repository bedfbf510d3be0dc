import { terminalSafeLine } from "@caliban/common";
import { MemoryError, type TopicStore, renderExplanation } from "@caliban/memory";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Host } from "../../host.ts";
import type { SettingValues } from "@caliban/settings";
import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import { isAddressDenied, topicPermission } from "../../../../../packages/tools-builtin/src/memory/topic-permission.ts";

/** What the addresses lead to. */
export interface MemoryUrlsInput {
  /** The notes, where they are kept in this run. */
  readonly store: ReadableTopics | undefined;
  /** What was learned from past sessions, where anything of memory is looked at in this run. */
  readonly learned: LearnedReader | undefined;
  /** The memory at the head of the prompt as it was built, and what it was built from. */
  readonly prefix: () => Promise<string>;
  /** What rules keep from being read; left out where the person reads. */
  readonly refusal?: AddressRefusal | undefined;
}

type ReadableTopics = Pick<TopicStore, "index" | "list" | "read">;

export type ResolvedUrl = { readonly text: string } | { readonly problem: string };

const SCHEME = "memory://";
const KNOWN =
  "memory://root and what is below it, memory://index, memory://topics, memory://topics/<slug> and memory://prefix";

/** Finds the text behind a `memory://` address. What is wrong with one is said without a path of the disk. */
export function createMemoryUrls(input: MemoryUrlsInput): (url: string) => Promise<ResolvedUrl> {
  return async (url) => {
    const path = url.startsWith(SCHEME) ? decoded(url.slice(SCHEME.length)) : undefined;
    if (path === undefined) return unknown(url);
    if (path === "prefix") return { text: await input.prefix() };
    const below = /^root(?:\/(.*))?$/su.exec(path);
    if (below !== null) return await readLearned(url, below[1], input);
    const { store, refusal } = input;
    if (store === undefined) return noNotes(url);
    return await withoutPlaces(url, () => readNotes(url, path, { store, refusal }));
  };
}

async function readNotes(
  url: string,
  path: string,
  { store, refusal }: Pick<MemoryUrlsInput, "refusal"> & { readonly store: ReadableTopics },
): Promise<ResolvedUrl> {
  if (path === "index") return { text: await store.index() };
  if (/^topics\/?$/.test(path)) return { text: await listTopics(store) };
  const slug = /^topics\/([^/]+)$/.exec(path)?.[1];
  if (slug === undefined) return unknown(url);
  const topic = await store.read(slug);
  if (topic === undefined) {
    return { problem: `${url}: there is no such topic; memory://topics lists them.` };
  }
  // By the name on the disk, whatever spelling led to it.
  const problem = refusal?.(url, `memory://topics/${topic.slug}`);
  return problem === undefined ? { text: topic.text } : { problem };
}

/** What the store says of a file names its place, which is no concern of whoever asks by an address. */
async function withoutPlaces(url: string, read: () => Promise<ResolvedUrl>): Promise<ResolvedUrl> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const why =
      error.code === "INVALID_SLUG"
        ? error.message
        : "its file cannot be used; `caliban memory doctor` says why";
    return { problem: `${url}: ${why}.` };
  }
}

/** `memory://root` is the summary; with a slash behind it, like any directory, a listing. */
async function readLearned(
  url: string,
  path: string | undefined,
  { learned, refusal }: Pick<MemoryUrlsInput, "learned" | "refusal">,
): Promise<ResolvedUrl> {
  if (learned === undefined) return noNotes(url);
  const problem = refusal?.(url, plainAddress(path));
  return problem === undefined ? await learned(path === undefined ? "" : path || ".") : { problem };
}

/** Without parts that lead nowhere. */
function plainAddress(path = ""): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return ["memory://root", ...parts].join("/");
}

async function listTopics(store: ReadableTopics): Promise<string> {
  const { topics, problems } = await store.list();
  const lines = topics.map(({ slug, type, description }) =>
    terminalSafeLine(`${slug} (${type ?? "untyped"}): ${description || "no description"}`),
  );
  const unread = problems.map(({ slug }) => terminalSafeLine(`${slug}: its file cannot be used`));
  return `${[...lines, ...unread].join("\n") || "no topics yet"}\n`;
}

/** Decoded once, so that a second layer of `%` signs stays a part of the name; no sign stands for a separator. */
function decoded(text: string): string | undefined {
  if (/%(?:2f|5c|00)/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function noNotes(url: string): ResolvedUrl {
  return { problem: `${url}: there are no notes in this run.` };
}

function unknown(url: string): ResolvedUrl {
  return { problem: `${url} leads nowhere; there are ${KNOWN}.` };
}

/** What `memory://prefix` shows: the memory at the head of the prompt, byte for byte, and behind it its receipt. */
export function explainPrefix(
  { prefix, receipt }: Pick<ProjectMemory, "prefix" | "receipt">,
  { home, platform }: Host,
): string {
  return `${prefix}[what it was built from]\n${renderExplanation({ receipt, home, platform })}`;
}

/** Finds what `memory://root` and the addresses below it lead to; the path is the part behind `root/`. */
export type LearnedReader = (path: string) => Promise<ResolvedUrl>;

/** Where nothing is learned, nothing of what once was is read, and how to turn it on is said. */
export function createLearnedReader(
  values: Pick<SettingValues, "memories.enabled">,
  projectHome: string | undefined,
): LearnedReader {
  return async (path) => {
    if (!values["memories.enabled"]) return { problem: TURNED_OFF };
    if (projectHome === undefined) return { problem: NO_HOME };
    const { readLearnedArtifact } = await import("../../project/learned-memory.ts");
    return await readLearnedArtifact(projectHome, path);
  };
}

const TURNED_OFF =
  "memory://root: caliban does not learn from past sessions here; `caliban settings set memories.enabled true` turns it on.";
const NO_HOME = "memory://root: no home directory is known, so nothing was learned.";

/** Tells why what is at an address may not be shown to one who asked for it by some spelling; `undefined` where it may. */
export type AddressRefusal = (asked: string, address: string) => string | undefined;

/**
 * The rules of a session for addresses. A call is decided by the words of the model; whatever they lead to is held against
 * the rules again, under the name that it has, and by what is said about reading topics as well.
 */
export function createAddressRefusal(policy: PermissionPolicy): AddressRefusal {
  return (asked, address) => {
    const slug = /^memory:\/\/topics\/([^/]+)$/.exec(address)?.[1];
    const kind = slug === undefined ? "allow" : topicPermission(slug, policy);
    if (kind === "deny" || isAddressDenied(address, policy)) {
      return `${asked}: a permission rule denies reading it.`;
    }
    if (kind === "ask") {
      return `${asked}: a permission rule says to ask before it is read; ReadMemoryTopic asks.`;
    }
    const isAsked = asked !== address && isAskedAbout(address, policy);
    return isAsked ? `${asked}: a permission rule is about it; ask for ${address}.` : undefined;
  };
}

function isAskedAbout(subject: string, policy: PermissionPolicy): boolean {
  const reading = { tool: "Read", permission: "fs.read", isReadOnly: true, subject };
  return decidePermission(reading, policy).kind === "ask";
}
