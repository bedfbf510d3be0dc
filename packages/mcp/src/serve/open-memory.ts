import {
  createToolRunner,
  offeredTools,
  type PermissionApprovals,
  type PermissionPolicy,
  type PolicyRule,
} from "@caliban/agent-core";
import {
  type AgentStore,
  agentTopics,
  createMemoryResolver,
  createMemoryTools,
  type MemoryResolverInput,
  type MemoryToolsInput,
} from "@caliban/tools-builtin";
import { createApprovalTickets } from "./approval-tickets.ts";
import type { OpenMemory } from "./client-view.ts";
import { createChangeNotifier } from "./resources/change-notifier.ts";
import type { ServedMemory } from "./served-memory.ts";

/** A memory as the user's own agents see it, and the rules for clients. */
export interface OpenMemoryInput
  extends
    Pick<MemoryResolverInput, "learned" | "prefix" | "repairHint" | "teamTopics">,
    Pick<MemoryToolsInput, "search" | "now" | "inbox">,
    Pick<ServedMemory, "offBy" | "hasLearned" | "watch" | "mask" | "skills" | "renderPage"> {
  /** The topics; left out when memory is off. */
  readonly store?: AgentStore | undefined;
  /** Memory about the user, for all projects; left out when it is off. */
  readonly userScope?: OpenUserScope | undefined;
  /** The rules of the user; none by default. No one can be asked, so `ask` means no. */
  readonly policy?: PermissionPolicy | undefined;
  /** What keeps clients from changing memory, such as a flag. */
  readonly readOnlyBy?: string | undefined;
  /** The calls that the user allowed permanently. */
  readonly approvals?: PermissionApprovals | undefined;
  /** Paths of this machine, which errors show as `<name>`: clients see a memory and not a machine. */
  readonly paths?: readonly RedactedPath[] | undefined;
  /** Receives one-line messages for the operator of the server. */
  readonly report: (message: string) => void;
}

type OpenUserScope = NonNullable<MemoryToolsInput["userScope"]> & {
  readonly store: AgentStore;
};

interface RedactedPath {
  readonly name: string;
  readonly path: string | undefined;
}

/** Opens a memory for any number of clients, which share one notifier of changes. */
export function openMemory(input: OpenMemoryInput): OpenMemory {
  const { report, readOnlyBy } = input;
  const rules = input.policy ?? NO_RULES;
  const policy = readOnlyBy === undefined ? rules : readOnly(rules, readOnlyBy);
  const memory: ServedMemory = { ...serve(input, policy), ...createTools(input, policy) };
  return { memory, changes: createChangeNotifier({ memory, report }) };
}

const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

/** Denies every change of memory, in addition to the given rules. */
function readOnly(policy: PermissionPolicy, source: string): PermissionPolicy {
  const rules = ["memory.write", "memory.delete"].map((name): PolicyRule => ({
    name,
    text: name,
    source,
  }));
  return { ...policy, deny: [...rules, ...policy.deny] };
}

function serve(
  input: OpenMemoryInput,
  policy: PermissionPolicy,
): Omit<ServedMemory, "tools" | "deniedTools" | "createRunner"> {
  const { store, userScope, prefix, paths } = input;
  const userTopics = userScope?.store;
  const { offBy, hasLearned, watch, mask, skills, renderPage } = input;
  return {
    offBy,
    hasLearned,
    watch,
    mask,
    skills,
    renderPage,
    policy,
    tickets: createApprovalTickets(),
    topics: store,
    userTopics,
    hasPrefix: prefix !== undefined,
    resolve: createMemoryResolver({
      ...input,
      topics: store,
      userTopics,
      policy: unattended(policy),
    }),
    redactPaths: paths && createPathRedactor(paths),
  };
}

/** The same rules where no one can be asked: whatever would be asked about is denied. */
function unattended(policy: PermissionPolicy): PermissionPolicy {
  return { ...policy, ask: [], deny: [...policy.deny, ...policy.ask] };
}

function createTools(
  input: OpenMemoryInput,
  policy: PermissionPolicy,
): Pick<ServedMemory, "tools" | "deniedTools" | "createRunner"> {
  const { store, userScope, teamTopics, search, now, inbox, approvals, mask, report } = input;
  const all =
    store === undefined
      ? []
      : createMemoryTools({
          store: agentTopics(async () => store, policy),
          userScope,
          teamTopics,
          search,
          now,
          policy: unattended(policy),
          inbox,
          origin: "other-agent",
        }).filter(({ name }) => SERVED_TOOLS.has(name));
  const tools = offeredTools(all, policy);
  return {
    tools,
    deniedTools: all.filter((tool) => !tools.includes(tool)),
    createRunner: (session, ask) =>
      createToolRunner({
        ask,
        tools: all,
        policy,
        session,
        approvals,
        mask,
        // The other tools of a client are unknown, and so are the user's messages.
        usedTools: () => [],
        notify: ({ message }) => report(message),
      }),
  };
}

/** Deleting topics is left to the user. */
const SERVED_TOOLS: ReadonlySet<string> = new Set([
  "ReadMemoryTopic",
  "WriteMemoryTopic",
  "MemorySearch",
]);

/** Creates a function that replaces paths by `<name>`. */
export function createPathRedactor(paths: readonly RedactedPath[]): (text: string) => string {
  const known = paths
    .flatMap(({ name, path = "" }) => (path.length < 2 ? [] : [{ name, path }]))
    // Inner directories before those that contain them.
    .toSorted((one, other) => other.path.length - one.path.length);
  return (text) =>
    known.reduce((redacted, { name, path }) => redacted.replaceAll(path, `<${name}>`), text);
}
