import { terminalSafeLine } from "@caliban/common";
import { MemoryError, type TopicStore } from "@caliban/memory";
import type { LearnedReader } from "./learned-reader.ts";

/** What the addresses lead to. */
export interface MemoryUrlsInput {
  /** The notes, where they are kept in this run. */
  readonly store: ReadableTopics | undefined;
  /** What was learned from past sessions, where anything of memory is looked at in this run. */
  readonly learned: LearnedReader | undefined;
  /** The memory at the head of the prompt as it was built, and what it was built from. */
  readonly prefix: () => Promise<string>;
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
    if (below !== null) return await readLearned(url, below[1], input.learned);
    const { store } = input;
    if (store === undefined) return noNotes(url);
    if (path === "index") return { text: await store.index() };
    if (/^topics\/?$/.test(path)) return { text: await listTopics(store) };
    const slug = /^topics\/([^/]+)$/.exec(path)?.[1];
    return slug === undefined ? unknown(url) : await readTopic(url, slug, store);
  };
}

/** `memory://root` is the summary; with a slash behind it, like any directory, a listing. */
async function readLearned(
  url: string,
  path: string | undefined,
  learned: LearnedReader | undefined,
): Promise<ResolvedUrl> {
  if (learned === undefined) return noNotes(url);
  return await learned(path === undefined ? "" : path || ".");
}

async function listTopics(store: ReadableTopics): Promise<string> {
  const { topics, problems } = await store.list();
  const lines = topics.map(({ slug, type, description }) =>
    terminalSafeLine(`${slug} (${type ?? "untyped"}): ${description || "no description"}`),
  );
  const unread = problems.map(({ slug, sentence }) => terminalSafeLine(`${slug}: ${sentence}`));
  return `${[...lines, ...unread].join("\n") || "no topics yet"}\n`;
}

async function readTopic(url: string, slug: string, store: ReadableTopics): Promise<ResolvedUrl> {
  try {
    const topic = await store.read(slug);
    if (topic !== undefined) return { text: topic.text };
    return { problem: `${url}: there is no such topic; memory://topics lists them.` };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { problem: `${url}: ${error.message}.` };
  }
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
