import { documentPath } from "../documents/document-path.ts";
import { type ApiAnswer, answer, StoreApiError } from "../request/api-answer.ts";
import type { RequestFields } from "../request/api-request.ts";
import { parsePage, renderPage } from "../request/page-cursor.ts";
import { isReadable } from "../served-store.ts";
import { type MemoryContext, toMemory } from "./memory-object.ts";

/** A memory, or a directory instead of those in it. */
interface ListItem {
  readonly path: string;
  /** `undefined` for a directory. */
  readonly slug: string | undefined;
}

/** Lists memories in the order of their paths. */
export async function listMemories(
  query: RequestFields,
  context: MemoryContext,
): Promise<ApiAnswer> {
  const { opened } = context;
  const page = parsePage(query);
  const { topics } = await opened.store.list();
  const items = toItems(
    topics.map(({ slug }) => slug).filter((slug) => isReadable(opened, slug)),
    { prefix: parsePrefix(query), isShallow: parseDepth(query) === 1 },
  );
  const { after = "" } = page;
  const rest = items.filter(({ path }) => path > after);
  const shown = rest.slice(0, page.limit);
  const slugs = shown.flatMap(({ slug }) => slug ?? []);
  const found = await opened.store.readMany(slugs);
  const data: object[] = [];
  for (const { path, slug } of shown) {
    const topic = slug === undefined ? undefined : found.get(slug);
    if (slug === undefined) data.push({ type: "memory_prefix", path });
    // One that was removed meanwhile is left out.
    else if (topic !== undefined)
      data.push(await toMemory(topic, context, page.isFull ? "full" : "basic"));
  }
  const last = rest.length > shown.length ? shown.at(-1)?.path : undefined;
  return answer(renderPage(data, last));
}

function toItems(
  slugs: readonly string[],
  { prefix, isShallow }: { readonly prefix: string; readonly isShallow: boolean },
): readonly ListItem[] {
  const items = new Map<string, ListItem>();
  for (const slug of slugs) {
    const path = documentPath(slug);
    if (!path.startsWith(prefix)) continue;
    const end = isShallow ? path.indexOf("/", prefix.length) : -1;
    const item = end === -1 ? { path, slug } : { path: path.slice(0, end + 1), slug: undefined };
    items.set(item.path, item);
  }
  return [...items.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function parsePrefix(query: RequestFields): string {
  const prefix = query.text("path_prefix") ?? "/";
  if (prefix.startsWith("/") && prefix.endsWith("/")) return prefix;
  throw new StoreApiError("invalid_request_error", "path_prefix must start and end with /");
}

function parseDepth(query: RequestFields): 0 | 1 {
  const depth = query.text("depth") ?? "0";
  if (depth === "0" || depth === "1") return depth === "1" ? 1 : 0;
  throw new StoreApiError("invalid_request_error", "depth must be 0 or 1");
}
