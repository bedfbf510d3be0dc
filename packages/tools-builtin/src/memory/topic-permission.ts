import { decidePermission, type PermissionKind, type PermissionPolicy } from "@caliban/agent-core";

const READ_FILE = { tool: "Read", permission: "fs.read", isReadOnly: true };
const READ_TOPIC = { tool: "ReadMemoryTopic", permission: "memory.read", isReadOnly: true };

/** Decides whether topics may be read at all, by the rules that have no pattern. */
export function topicsPermission(policy: PermissionPolicy): PermissionKind {
  const [deny, ask] = [policy.deny, policy.ask].map((rules) =>
    rules.filter(({ subject }) => subject === undefined),
  );
  return decidePermission(READ_TOPIC, { ...policy, deny: deny ?? [], ask: ask ?? [] }).kind;
}

/**
 * Decides whether a topic may be shown. Patterns about reading topics are matched against its slug, and patterns about
 * reading files against its address.
 */
export function topicPermission(slug: string, policy: PermissionPolicy): PermissionKind {
  if (isAddressDenied(`memory://topics/${slug}`, policy)) return "deny";
  return decidePermission({ ...READ_TOPIC, subject: slug }, policy).kind;
}

/** Whether a pattern denies reading an address. A rule without a pattern is about the tool, not the address. */
export function isAddressDenied(address: string, policy: PermissionPolicy): boolean {
  const deny = policy.deny.filter(({ subject }) => subject !== undefined);
  return decidePermission({ ...READ_FILE, subject: address }, { ...policy, deny }).kind === "deny";
}
