import type { Diagnostic } from "@caliban/common";
import { isMemoryError } from "../errors.ts";
import type { StoredTopic, TopicStore } from "./topic-store.ts";

/** Everything a store has, as files. */
export interface StoreFiles {
  /** `null` if there is none. */
  readonly index: string | null;
  /** Sorted by name. */
  readonly topics: readonly StoredTopic[];
  /** About topics that could not be read. */
  readonly problems: readonly Diagnostic<"REFUSED_FILE">[];
}

/** Reads a whole store. An unreadable topic never affects the others. */
export async function readStoreFiles(
  store: Pick<TopicStore, "list" | "read" | "readMany" | "storedIndex">,
): Promise<StoreFiles> {
  const { topics, problems } = await store.list();
  const slugs = topics.map(({ slug }) => slug).toSorted();
  const found = await store.readMany(slugs);
  const missing = slugs.filter((slug) => !found.has(slug));
  const index = await messageOrResult(() => store.storedIndex());
  const unread = await Promise.all(
    [...missing, ...problems.map(({ slug }) => slug)].map((slug) =>
      messageOrResult(() => store.read(slug)),
    ),
  );
  const messages = [index, ...unread].flatMap((each) => ("message" in each ? [each.message] : []));
  return {
    index: ("result" in index ? index.result : undefined) ?? null,
    topics: [...found.values()],
    problems: messages.map((message) => ({ code: "REFUSED_FILE", message })),
  };
}

async function messageOrResult<T>(
  action: () => Promise<T>,
): Promise<{ readonly result: T } | { readonly message: string }> {
  try {
    return { result: await action() };
  } catch (error) {
    if (!isMemoryError(error) || error.code !== "REFUSED_FILE") throw error;
    return { message: error.message };
  }
}
