import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import { isAddressDenied, topicPermission } from "../../../../../packages/tools-builtin/src/memory/topic-permission.ts";

/** Tells why what is at an address may not be shown to one who asked for it by some spelling; `undefined` where it may. */
export type AddressRefusal = (asked: string, address: string) => string | undefined;

/**
 * The rules of a session for addresses. A call is decided by the words of the model; whatever they lead to is held against
 * the rules again, under the name that it has, and by what is said about reading topics as well.
 */
export function createAddressRefusal(policy: PermissionPolicy): AddressRefusal {
  return (asked, address) => {
    const slug = /^memory:\/\/topics\/([^/]+)$/.exec(address)?.[1];
    const kind = slug === undefined ? "allow" : topicPermission(slug, policy);
    if (kind === "deny" || isAddressDenied(address, policy)) {
      return `${asked}: a permission rule denies reading it.`;
    }
    if (kind === "ask") {
      return `${asked}: a permission rule says to ask before it is read; ReadMemoryTopic asks.`;
    }
    const isAsked = asked !== address && isAskedAbout(address, policy);
    return isAsked ? `${asked}: a permission rule is about it; ask for ${address}.` : undefined;
  };
}

function isAskedAbout(subject: string, policy: PermissionPolicy): boolean {
  const reading = { tool: "Read", permission: "fs.read", isReadOnly: true, subject };
  return decidePermission(reading, policy).kind === "ask";
}
