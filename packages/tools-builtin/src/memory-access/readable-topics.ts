import type { PermissionPolicy } from "@caliban/agent-core";
import { type Conflict, MemoryError, type TopicList, type TopicStore } from "@caliban/memory";
import { type AddressScope, memoryPermission, topicAddress } from "./memory-permission.ts";

type Topics = Pick<TopicStore, "list" | "read" | "write" | "remove">;

interface ReadableTopicsOptions {
  readonly policy: () => PermissionPolicy;
  /** The name of the tool that reads a topic. */
  readonly readTool: string;
  /** Whose topics they are; the project's if left out. */
  readonly scope?: AddressScope | undefined;
}

/**
 * Wraps the topics for an agent's tools so that nothing is shown that the rules deny: neither in a list, nor under
 * another spelling, nor the text of a topic that conflicts with a change.
 */
export function readableTopics(
  store: Topics,
  { policy, readTool, scope = "project" }: ReadableTopicsOptions,
): Topics {
  const check = <Result extends { readonly kind: string }>(
    result: Result | Conflict,
  ): Result | Conflict => withoutDeniedText(result, { policy: policy(), readTool, scope });
  return {
    list: async () => withoutDenied(await store.list(), policy(), scope),
    read: async (name) => await readReadable(name, { read: store.read, policy, scope }),
    write: async (request) => check(await store.write(request)),
    remove: async (request) => check(await store.remove(request)),
  };
}

/** Reads a topic if the rules let the agent read it. */
export async function readReadable(
  name: string,
  {
    read,
    policy,
    scope = "project",
  }: Pick<Topics, "read"> & Pick<ReadableTopicsOptions, "policy" | "scope">,
): ReturnType<Topics["read"]> {
  const found = await read(name);
  if (found === undefined) return found;
  const kind = memoryPermission(topicAddress(found.slug, scope), policy());
  if (kind === "deny") throw refused(`a permission rule denies reading ${found.slug}`);
  // Permission for the requested name was decided before the call.
  if (kind === "allow" || found.slug === name) return found;
  throw refused(`a permission rule applies to ${found.slug}; request it by that name`);
}

/** Removes the topics from a list that the rules deny. */
export function withoutDenied(
  { topics, problems }: TopicList,
  policy: PermissionPolicy | undefined,
  scope: AddressScope = "project",
): TopicList {
  if (policy === undefined) return { topics, problems };
  const isReadable = ({ slug }: { readonly slug: string }): boolean =>
    memoryPermission(topicAddress(slug, scope), policy) !== "deny";
  return { topics: topics.filter(isReadable), problems: problems.filter(isReadable) };
}

function withoutDeniedText<Result extends { readonly kind: string }>(
  result: Result | Conflict,
  {
    policy,
    readTool,
    scope,
  }: {
    readonly policy: PermissionPolicy;
    readonly readTool: string;
    readonly scope: AddressScope;
  },
): Result | Conflict {
  if (!isConflict(result)) return result;
  const { slug } = result.current;
  const kind = memoryPermission(topicAddress(slug, scope), policy);
  if (kind === "allow") return result;
  const reason =
    kind === "deny"
      ? "a permission rule denies reading it"
      : `a permission rule requires asking before it is read. Use ${readTool}`;
  throw refused(`the topic ${slug} exists and you have not read it; ${reason}`);
}

function isConflict(result: { readonly kind: string }): result is Conflict {
  return result.kind === "conflict";
}

function refused(message: string): MemoryError {
  return new MemoryError("REFUSED_FILE", message);
}
