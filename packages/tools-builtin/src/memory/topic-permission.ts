import { decidePermission, type PermissionKind, type PermissionPolicy } from "@caliban/agent-core";

const LOOKING = { tool: "Read", permission: "fs.read", isReadOnly: true };
const READING = { tool: "ReadMemoryTopic", permission: "memory.read", isReadOnly: true };

/** Decides whether topics may be read, by the rules that are about all of them. */
export function topicsPermission(policy: PermissionPolicy): PermissionKind {
  const [deny, ask] = [policy.deny, policy.ask].map((rules) =>
    rules.filter(({ subject }) => subject === undefined),
  );
  return decidePermission(READING, { ...policy, deny: deny ?? [], ask: ask ?? [] }).kind;
}

/**
 * Decides whether a topic may be shown: patterns about reading topics are held against its slug, and those about reading
 * files against its address.
 */
export function topicPermission(slug: string, policy: PermissionPolicy): PermissionKind {
  if (isAddressDenied(`memory://topics/${slug}`, policy)) return "deny";
  return decidePermission({ ...READING, subject: slug }, policy).kind;
}

/** Whether a pattern denies reading what is at an address. A rule without a pattern is about the tool that reads. */
export function isAddressDenied(address: string, policy: PermissionPolicy): boolean {
  const deny = policy.deny.filter(({ subject }) => subject !== undefined);
  return decidePermission({ ...LOOKING, subject: address }, { ...policy, deny }).kind === "deny";
}
