import type { PermissionPolicy } from "@caliban/agent-core";
import {
  DEFAULT_SEARCH_LIMIT,
  type FoundTopic,
  type MemorySearch,
  type MemorySearchRequest,
} from "@caliban/memory/search";
import { isAddressDenied, topicPermission } from "../../../../../packages/tools-builtin/src/memory/topic-permission.ts";

/** Where some are kept back, so many times as many are looked for. */
const TIMES_AS_MANY = 4;

/** The same search without topics that may not be read, and without what was learned at addresses that may not. It says how many. */
export function readableSearch(search: MemorySearch, policy: PermissionPolicy): MemorySearch {
  const mayShow = ({ kind, name, address }: FoundTopic): boolean =>
    kind === "topic" ? topicPermission(name, policy) !== "deny" : !isAddressDenied(address, policy);
  return {
    search: async (request) => {
      const found = await search.search(request);
      if (found.topics.every(mayShow)) return found;
      const { topics } = await search.search(more(request));
      const shown = topics.filter(mayShow);
      const kept = found.topics.length - found.topics.filter(mayShow).length;
      return {
        ...found,
        topics: shown.slice(0, request.limit ?? DEFAULT_SEARCH_LIMIT),
        notes: [...found.notes, keptBack(kept)],
      };
    },
  };
}

function more(request: MemorySearchRequest): MemorySearchRequest {
  const { limit = DEFAULT_SEARCH_LIMIT } = request;
  return { ...request, kind: "topics", limit: limit * TIMES_AS_MANY };
}

function keptBack(count: number): string {
  return count === 1
    ? "1 topic that fits is not shown: a permission rule denies reading it."
    : `${count} topics that fit are not shown: permission rules deny reading them.`;
}
