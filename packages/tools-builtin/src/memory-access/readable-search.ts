import type { PermissionPolicy } from "@caliban/agent-core";
import {
  DEFAULT_SEARCH_LIMIT,
  type FoundMemory,
  type FoundTopic,
  type MemorySearch,
  type MemorySearchRequest,
} from "@caliban/memory/search";
import { memoryPermission } from "./memory-permission.ts";

/** When results are denied, so many times the limit is searched for to fill their places. */
const SEARCH_FACTOR = 4;

/** Wraps a search so that it leaves out topics and learned memory that the rules deny, and reports how many. */
export function readableSearch(search: MemorySearch, policy: () => PermissionPolicy): MemorySearch {
  const isReadable = ({ address }: Pick<FoundTopic, "address">): boolean =>
    memoryPermission(address, policy()) !== "deny";
  return {
    search: async (request) => {
      const found = withReadableLinks(await search.search(request), isReadable);
      const denied = found.topics.filter((topic) => !isReadable(topic)).length;
      if (denied === 0) return found;
      const more = await search.search(withMoreTopics(request));
      const { topics } = withReadableLinks(more, isReadable);
      return {
        ...found,
        topics: topics.filter(isReadable).slice(0, request.limit ?? DEFAULT_SEARCH_LIMIT),
        notes: [...found.notes, formatDenied(denied)],
      };
    },
  };
}

/** Removes the names of topics that supersede a result and may not be read. */
function withReadableLinks(
  found: FoundMemory,
  isReadable: (topic: Pick<FoundTopic, "address">) => boolean,
): FoundMemory {
  if (found.topics.every(({ supersededBy }) => supersededBy === undefined)) return found;
  const topics = found.topics.map(({ supersededBy, ...topic }) => {
    if (supersededBy === undefined) return topic;
    const directory = topic.address.slice(0, topic.address.lastIndexOf("/"));
    const isShown = isReadable({ address: `${directory}/${supersededBy}` });
    return isShown ? { ...topic, supersededBy } : topic;
  });
  return { ...found, topics };
}

function withMoreTopics(request: MemorySearchRequest): MemorySearchRequest {
  const { limit = DEFAULT_SEARCH_LIMIT } = request;
  return { ...request, kind: "topics", limit: limit * SEARCH_FACTOR };
}

function formatDenied(count: number): string {
  return count === 1
    ? "1 matching topic is not shown: a permission rule denies reading it."
    : `${count} matching topics are not shown: permission rules deny reading them.`;
}
