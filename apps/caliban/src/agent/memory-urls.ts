import { MemoryError, type TopicStore } from "@caliban/memory";

/** What the addresses lead to. */
export interface MemoryUrlsInput {
  /** The notes, where they are kept in this run. */
  readonly store: Pick<TopicStore, "index" | "read"> | undefined;
  /** The memory at the head of the prompt as it was built, and what it was built from. */
  readonly prefix: () => Promise<string>;
}

export type ResolvedUrl = { readonly text: string } | { readonly problem: string };

const SCHEME = "memory://";
const KNOWN = "memory://index, memory://topics/<slug> and memory://prefix";

/** Finds the text behind a `memory://` address. What is wrong with one is said without a path of the disk. */
export function createMemoryUrls(input: MemoryUrlsInput): (url: string) => Promise<ResolvedUrl> {
  return async (url) => {
    const path = url.startsWith(SCHEME) ? decoded(url.slice(SCHEME.length)) : undefined;
    if (path === undefined) return unknown(url);
    if (path === "prefix") return { text: await input.prefix() };
    const { store } = input;
    if (store === undefined) return { problem: `${url}: there are no notes in this run.` };
    if (path === "index") return { text: await store.index() };
    const slug = /^topics\/([^/]+)$/.exec(path)?.[1];
    return slug === undefined ? unknown(url) : await readTopic(url, slug, store);
  };
}

async function readTopic(
  url: string,
  slug: string,
  store: Pick<TopicStore, "read">,
): Promise<ResolvedUrl> {
  try {
    const topic = await store.read(slug);
    if (topic !== undefined) return { text: topic.text };
    return { problem: `${url}: there is no such topic; memory://index lists them.` };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { problem: `${url}: ${error.message}.` };
  }
}

/** Decoded once, so that a second layer of `%` signs stays a part of the name. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function unknown(url: string): ResolvedUrl {
  return { problem: `${url} leads nowhere; there are ${KNOWN}.` };
}
