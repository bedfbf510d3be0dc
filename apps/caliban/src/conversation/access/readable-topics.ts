import type { PermissionPolicy } from "@caliban/agent-core";
import { type Conflict, MemoryError, type TopicStore } from "@caliban/memory";
import { topicPermission } from "../../../../../packages/tools-builtin/src/memory/topic-permission.ts";

type Topics = Pick<TopicStore, "list" | "read" | "write" | "remove">;

/**
 * The same notes for the tools of an agent, which show nothing that may not be read: not under an address that is denied,
 * and not as the text that a refused change is to be merged into.
 */
export function readableTopics(store: Topics, policy: PermissionPolicy): Topics {
  return {
    list: store.list,
    read: async (name) => {
      const found = await store.read(name);
      if (found === undefined) return found;
      const kind = topicPermission(found.slug, policy);
      if (kind === "deny") throw refused(`a permission rule denies reading ${found.slug}`);
      // Whether to ask was decided before the call, by the name that it was made with.
      if (kind === "allow" || found.slug === name) return found;
      throw refused(`a permission rule is about ${found.slug}; ask for it by that name`);
    },
    write: async (request) => shownResult(await store.write(request), policy),
    remove: async (request) => shownResult(await store.remove(request), policy),
  };
}

function shownResult<Result extends { readonly kind: string }>(
  result: Result | Conflict,
  policy: PermissionPolicy,
): Result | Conflict {
  if (!isConflict(result)) return result;
  const { slug } = result.current;
  const kind = topicPermission(slug, policy);
  if (kind === "allow") return result;
  const why =
    kind === "deny"
      ? "and a permission rule denies reading it"
      : "and a permission rule says to ask before it is read; ReadMemoryTopic asks";
  throw refused(`there is a topic ${slug} whose text you do not have, ${why}`);
}

function isConflict(result: { readonly kind: string }): result is Conflict {
  return result.kind === "conflict";
}

function refused(sentence: string): MemoryError {
  return new MemoryError("REFUSED_FILE", sentence);
}
