import { decidePermission, type PermissionKind, type PermissionPolicy } from "@caliban/agent-core";
import { readableTest } from "./readable-test.ts";

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
  if (readableTest(policy)?.(`memory://topics/${slug}`, "Read") === false) return "deny";
  return decidePermission({ ...READING, subject: slug }, policy).kind;
}
