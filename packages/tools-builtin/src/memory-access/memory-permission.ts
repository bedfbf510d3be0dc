import { decidePermission, type PermissionKind, type PermissionPolicy } from "@caliban/agent-core";

/** The address of memory as a whole. */
export const ALL_MEMORY = "memory://";

const READ_FILE = { tool: "Read", permission: "fs.read", isReadOnly: true };
const READ_TOPIC = { tool: "ReadMemoryTopic", permission: "memory.read", isReadOnly: true };

/**
 * May this memory be read? Everything that shows memory to a model or a client asks here: tools, addresses, searches,
 * recall and MCP. Patterns about reading files match the address. A topic is also decided by the rules about reading
 * topics, whose patterns match its slug. `ALL_MEMORY` is decided by the rules that have no pattern.
 *
 * @example
 * import { memoryPermission } from "@caliban/tools-builtin";
 *
 * const rule = { text: "memory.read(pay*)", name: "memory.read", subject: "pay*", source: "here" };
 * const policy = { allow: [], ask: [], deny: [rule], mode: "default" } as const;
 * console.log(memoryPermission("memory://topics/payroll", policy)); // deny
 * console.log(memoryPermission("memory://topics/deploy", policy)); // allow
 */
export function memoryPermission(address: string, policy: PermissionPolicy): PermissionKind {
  if (address === ALL_MEMORY) return decidePermission(READ_TOPIC, withoutPatterns(policy)).kind;
  // A rule without a pattern is about the tool, not the address.
  const deny = withPatterns(policy.deny);
  const asFile = decidePermission({ ...READ_FILE, subject: address }, { ...policy, deny });
  if (asFile.kind === "deny") return "deny";
  const slug = /^memory:\/\/(?:(?:user|team)\/)?topics\/([^/]+)$/.exec(address)?.[1];
  return slug === undefined
    ? "allow"
    : decidePermission({ ...READ_TOPIC, subject: slug }, policy).kind;
}

/**
 * May a file that may hold the text of any topic be read, such as the history? Not if a rule is about some of them.
 */
export function hiddenMemoryPermission(policy: PermissionPolicy): PermissionKind {
  // Without a subject, every pattern matches.
  const asTopic = decidePermission(READ_TOPIC, policy).kind;
  if (asTopic !== "allow") return asTopic;
  const isAboutMemory = policy.deny.some(({ subject }) => subject?.startsWith(ALL_MEMORY) === true);
  return isAboutMemory ? "deny" : "allow";
}

/** Whether no rule keeps any memory from being read. Then no file has to be checked. */
export function isAllMemoryReadable(policy: PermissionPolicy): boolean {
  // Without a subject, every pattern matches.
  const asFile = decidePermission(READ_FILE, { ...policy, deny: withPatterns(policy.deny) });
  return asFile.kind !== "deny" && hiddenMemoryPermission(policy) === "allow";
}

function withPatterns(rules: PermissionPolicy["deny"]): PermissionPolicy["deny"] {
  return rules.filter(({ subject }) => subject !== undefined);
}

function withoutPatterns(policy: PermissionPolicy): PermissionPolicy {
  const [deny = [], ask = []] = [policy.deny, policy.ask].map((rules) =>
    rules.filter(({ subject }) => subject === undefined),
  );
  return { ...policy, deny, ask };
}

/** Whether reading an address as a file requires asking. The permission to call Read covers only the requested address. */
export function requiresAsking(address: string, policy: PermissionPolicy): boolean {
  return decidePermission({ ...READ_FILE, subject: address }, policy).kind === "ask";
}

/** Whose topic an address is about. */
export type AddressScope = "project" | "user" | "team";

/** The address of a topic. */
export function topicAddress(slug: string, scope: AddressScope = "project"): string {
  return scope === "project" ? `memory://topics/${slug}` : `memory://${scope}/topics/${slug}`;
}
