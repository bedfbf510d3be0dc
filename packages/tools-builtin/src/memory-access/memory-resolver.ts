import type { PermissionPolicy } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { isMemoryError, type MemoryError, type TopicStore } from "@caliban/memory";
import {
  type AddressScope,
  memoryPermission,
  requiresAsking,
  topicAddress,
} from "./memory-permission.ts";
import { withoutDenied } from "./readable-topics.ts";

type Topics = Pick<TopicStore, "index" | "list" | "read">;

/** What `memory://` addresses resolve to. */
export interface MemoryResolverInput {
  /** The topics and the index; absent when memory is off. */
  readonly topics?: Topics | undefined;
  /** The topics about the user, below `memory://user/`; absent when they are off. */
  readonly userTopics?: Topics | undefined;
  /** The topics that a team shares, below `memory://team/`; absent without a team. */
  readonly teamTopics?: Topics | undefined;
  /** Reads learned memory; the path is the part of the address after `memory://root/`. */
  readonly learned?: ((path: string) => Promise<ResolvedAddress>) | undefined;
  /** The text of `memory://prefix`. */
  readonly prefix?: (() => Promise<string>) | undefined;
  /** Nothing is shown that these rules deny. Left out when the user reads. */
  readonly policy?: PermissionPolicy | undefined;
  /** What to do about a topic whose file cannot be used, in one sentence. */
  readonly repairHint?: string | undefined;
}

/** The text at an address, or why there is none. `isDenied` is set if a rule is the reason. */
export type ResolvedAddress =
  | { readonly text: string }
  | { readonly problem: string; readonly isDenied?: true };

const SCHEME = "memory://";

/**
 * Creates a function that resolves `memory://` addresses to text. Problems never contain a path on disk.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { createMemoryResolver } from "@caliban/tools-builtin";
 *
 * const resolve = createMemoryResolver({ topics: createMapTopicStore() });
 * console.log(await resolve("memory://topics")); // { text: 'no topics yet\n' }
 */
export function createMemoryResolver(
  input: MemoryResolverInput,
): (address: string) => Promise<ResolvedAddress> {
  return async (requested) => {
    const path = decodedPath(requested);
    if (path === undefined) return unknownAddress(requested, input);
    return (
      findRefusal(requested, normalizedAddress(path), input.policy) ??
      (await resolvePath(requested, path, input))
    );
  };
}

/**
 * A call is decided by the requested spelling of an address. What that leads to is decided again under its real address,
 * and by the rules about topics as well.
 */
function findRefusal(
  requested: string,
  address: string,
  policy: PermissionPolicy | undefined,
): ResolvedAddress | undefined {
  if (policy === undefined) return undefined;
  const kind = memoryPermission(address, policy);
  if (kind === "deny") return refused(`${requested}: a permission rule denies reading it.`);
  if (kind === "ask")
    return refused(
      `${requested}: a permission rule requires asking before it is read. Use ReadMemoryTopic.`,
    );
  if (requested === address || !requiresAsking(address, policy)) return undefined;
  return refused(`${requested}: a permission rule applies to it. Request ${address} instead.`);
}

function refused(problem: string): ResolvedAddress {
  return { problem, isDenied: true };
}

async function resolvePath(
  requested: string,
  path: string,
  input: MemoryResolverInput,
): Promise<ResolvedAddress> {
  const { topics, learned, prefix } = input;
  if (path === "prefix" && prefix !== undefined) return { text: await prefix() };
  const below = /^root(?:\/(.*))?$/su.exec(path);
  if (below !== null && learned !== undefined) return await learned(toLearnedPath(below[1]));
  if (topics === undefined) return { problem: `${requested}: auto-memory is off in this run.` };
  try {
    return await readScoped(requested, path, { ...input, topics });
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return { problem: `${requested}: ${describeUnusable(error, input)}` };
  }
}

async function readScoped(
  requested: string,
  path: string,
  input: MemoryResolverInput & { readonly topics: Topics },
): Promise<ResolvedAddress> {
  const [, scope, below = ""] = /^(user|team)\/+(.*)$/su.exec(path) ?? [];
  if (scope === "user") {
    const { userTopics: topics } = input;
    if (topics !== undefined)
      return await readTopics(requested, below, { ...input, topics, scope });
    return { problem: `${requested}: memory about the user is off in this run.` };
  }
  if (scope === "team") {
    const { teamTopics: topics } = input;
    if (topics !== undefined)
      return await readTopics(requested, below, { ...input, topics, scope });
    return { problem: `${requested}: this project has no team memory, or it is off in this run.` };
  }
  return await readTopics(requested, path, { ...input, scope: "project" });
}

/** `memory://root` is the summary; with a trailing slash it is a listing, like any directory. */
function toLearnedPath(below: string | undefined): string {
  return below === undefined ? "" : below || ".";
}

async function readTopics(
  requested: string,
  path: string,
  input: MemoryResolverInput & { readonly topics: Topics; readonly scope: AddressScope },
): Promise<ResolvedAddress> {
  const { topics, policy, scope } = input;
  if (path === "index") return { text: await topics.index() };
  if (/^topics\/?$/.test(path)) return { text: await listTopics(topics, { policy, scope }) };
  const slug = /^topics\/([^/]+)$/.exec(path)?.[1];
  if (slug === undefined) return unknownAddress(requested, input);
  const topic = await topics.read(slug);
  if (topic === undefined) {
    const list = scope === "project" ? "memory://topics" : `memory://${scope}/topics`;
    return { problem: `${requested}: no such topic. Read ${list} for a list.` };
  }
  // Decided by the name on disk, whatever spelling led to it.
  return findRefusal(requested, topicAddress(topic.slug, scope), policy) ?? { text: topic.text };
}

/** Errors of the store name files, which are not revealed to a reader of addresses. */
function describeUnusable(
  { code, message }: MemoryError,
  { repairHint }: MemoryResolverInput,
): string {
  if (code === "INVALID_SLUG") return `${message}.`;
  return ["its file cannot be used.", ...(repairHint === undefined ? [] : [repairHint])].join(" ");
}

async function listTopics(
  store: Pick<TopicStore, "list">,
  {
    policy,
    scope,
  }: { readonly policy: PermissionPolicy | undefined; readonly scope: AddressScope },
): Promise<string> {
  const { topics, problems } = withoutDenied(await store.list(), policy, scope);
  const lines = topics.map(({ slug, type, description }) =>
    terminalSafeLine(`${slug} (${type ?? "untyped"}): ${description || "no description"}`),
  );
  const unreadable = problems.map(({ slug }) =>
    terminalSafeLine(`${slug}: its file cannot be used`),
  );
  return `${[...lines, ...unreadable].join("\n") || "no topics yet"}\n`;
}

/** Decodes once, so that a second layer of `%` stays part of the name. No encoding can represent a separator. */
function decodedPath(address: string): string | undefined {
  if (!address.startsWith(SCHEME) || /%(?:2f|5c|00)/i.test(address)) return undefined;
  try {
    return decodeURIComponent(address.slice(SCHEME.length));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Without empty and `.` parts. */
function normalizedAddress(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return `${SCHEME}${parts.join("/")}`;
}

function unknownAddress(
  requested: string,
  { learned, prefix, userTopics, teamTopics }: MemoryResolverInput,
): ResolvedAddress {
  const known = [
    ...(learned === undefined ? [] : ["memory://root and paths below it"]),
    ...(prefix === undefined ? [] : ["memory://prefix"]),
    "memory://index",
    "memory://topics",
    ...(userTopics === undefined ? [] : ["the same below memory://user/"]),
    ...(teamTopics === undefined ? [] : ["the same below memory://team/"]),
  ];
  const available = `${known.join(", ")} and memory://topics/<slug>`;
  return { problem: `${requested}: no such address. Available: ${available}.` };
}
