import {
  parsePermissionRule,
  type PermissionKind,
  type PermissionPolicy,
  type PolicyRule,
} from "@caliban/agent-core";
import type { TopicStore } from "@caliban/memory";
import { isAddressDenied, topicPermission, topicsPermission } from "@caliban/tools-builtin";
import { PROTOCOL_CODE, ProtocolError } from "../protocol-error.ts";

/** Whether clients may read any memory at all. */
export function isMemoryReadable(policy: PermissionPolicy): boolean {
  return topicsPermission(policy) === "allow";
}

/** Whether clients may read a topic. No one can be asked, so only `allow` counts. */
export function isTopicReadable(slug: string, policy: PermissionPolicy): boolean {
  return topicPermission(slug, policy) === "allow";
}

/** The same rules for a run in which no one can be asked: whatever would be asked about is denied. */
export function unattended(policy: PermissionPolicy): PermissionPolicy {
  return { ...policy, ask: [], deny: [...policy.deny, ...policy.ask] };
}

/** Denies every change of memory, in addition to the given rules. */
export function readOnly(policy: PermissionPolicy, source: string): PermissionPolicy {
  const rules = ["memory.write", "memory.delete"].flatMap((text): readonly PolicyRule[] => {
    const parsed = parsePermissionRule(text);
    return "rule" in parsed ? [{ ...parsed.rule, source }] : [];
  });
  return { ...policy, deny: [...rules, ...policy.deny] };
}

/** A store that shows only readable topics, whichever case an address spells them in. */
export function readableStore(
  store: Pick<TopicStore, "index" | "list" | "read">,
  policy: PermissionPolicy,
): Pick<TopicStore, "index" | "list" | "read"> {
  const isReadable = ({ slug }: { readonly slug: string }): boolean =>
    isTopicReadable(slug, policy);
  return {
    index: store.index,
    list: async () => {
      const { topics, problems } = await store.list();
      return { topics: topics.filter(isReadable), problems: problems.filter(isReadable) };
    },
    read: async (name) => {
      refuseTopic(name, policy);
      const found = await store.read(name);
      if (found !== undefined) refuseTopic(found.slug, policy);
      return found;
    },
  };
}

function refuseTopic(slug: string, policy: PermissionPolicy): void {
  refuseUnlessAllowed(`memory://topics/${slug}`, topicPermission(slug, policy));
}

/**
 * Refuses an address that a rule keeps from being read, however it is spelled.
 * @throws ProtocolError
 */
export function refuseDeniedAddress(address: string, policy: PermissionPolicy): void {
  refuseUnlessAllowed(address, topicsPermission(policy));
  if (spellingsOf(address).some((spelling) => isAddressDenied(spelling, policy)))
    refuseUnlessAllowed(address, "deny");
}

function refuseUnlessAllowed(address: string, kind: PermissionKind): void {
  if (kind === "allow") return;
  const reason =
    kind === "deny"
      ? "denied by a permission rule of the user's"
      : "a permission rule of the user's requires asking first, and no one can be asked here";
  throw new ProtocolError(PROTOCOL_CODE.refused, `cannot read ${address}: ${reason}`);
}

/** The address as requested, decoded, and without empty and `.` parts. */
function spellingsOf(address: string): readonly string[] {
  const decoded = decodedOnce(address);
  const [scheme = "", path = ""] = decoded.split(/(?<=^memory:\/\/)/);
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return [address, decoded, `${scheme}${parts.join("/")}`];
}

function decodedOnce(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return address;
  }
}
