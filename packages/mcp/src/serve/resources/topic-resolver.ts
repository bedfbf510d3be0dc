import { terminalSafeLine } from "@caliban/common";
import { MemoryError, type TopicStore } from "@caliban/memory";
import type { ResolvedAddress } from "../served-memory.ts";

const KNOWN = "memory://index, memory://topics and memory://topics/<slug>";

/** Resolves the addresses of a store's topics and its index. */
export function createTopicResolver(
  store: Pick<TopicStore, "index" | "list" | "read">,
): (address: string) => Promise<ResolvedAddress> {
  return async (address) => {
    const path = decodedPath(address);
    if (path === "index") return { text: await store.index() };
    if (path === "topics" || path === "topics/") return { text: await listTopics(store) };
    const slug = /^topics\/([^/]+)$/.exec(path ?? "")?.[1];
    if (slug === undefined) return { problem: `no such address: ${address}; available: ${KNOWN}` };
    return await readTopic(address, slug, store);
  };
}

async function readTopic(
  address: string,
  slug: string,
  store: Pick<TopicStore, "read">,
): Promise<ResolvedAddress> {
  try {
    const topic = await store.read(slug);
    return topic === undefined ? { problem: `no such topic: ${address}` } : { text: topic.text };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    // Other messages may mention files of this machine.
    const reason = error.code === "INVALID_SLUG" ? error.message : "the topic cannot be read";
    return { problem: `${address}: ${reason}` };
  }
}

async function listTopics(store: Pick<TopicStore, "list">): Promise<string> {
  const { topics } = await store.list();
  const lines = topics.map(({ slug, type, description }) =>
    terminalSafeLine(`${slug} (${type ?? "untyped"}): ${description || "no description"}`),
  );
  return `${lines.join("\n") || "no topics yet"}\n`;
}

/** Decoded once; an encoded separator never becomes one. */
function decodedPath(address: string): string | undefined {
  const path = /^memory:\/\/(.*)$/s.exec(address)?.[1];
  if (path === undefined || /%(?:2f|5c|00)/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return undefined;
  }
}
