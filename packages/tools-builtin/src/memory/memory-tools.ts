import type { PermissionPolicy, Tool } from "@caliban/agent-core";
import { createStoreSearch } from "@caliban/memory";
import { readReadable, readableTopics } from "../memory-access/readable-topics.ts";
import { DELETE_MEMORY_TOPIC } from "./delete-memory-topic.ts";
import { memoryNames, withoutPrefix } from "./memory-names.ts";
import {
  createMemoryTool,
  type MemoryToolContext,
  type MemoryToolDefinition,
  type MemoryToolsInput,
} from "./memory-tool.ts";
import { READ_MEMORY_TOPIC } from "./read-memory-topic.ts";
import type { UserChangeContext } from "./refuse-user-change.ts";
import type { CountChange } from "./write-limit.ts";
import { WRITE_MEMORY_TOPIC } from "./write-memory-topic.ts";

/**
 * Creates the tools with which an agent maintains its memory. Their permissions belong to the category `memory`.
 *
 * @example
 * import { createToolRunner } from "@caliban/agent-core";
 * import { createMapTopicStore } from "@caliban/memory";
 * import { createMemoryTools } from "@caliban/tools-builtin";
 *
 * const tools = createMemoryTools({ store: createMapTopicStore() });
 * const { run } = createToolRunner({ tools });
 * const input = {
 *   name: "deploy",
 *   description: "Deploy with pnpm ship",
 *   type: "project",
 *   body: "Run pnpm ship.",
 * };
 * await run({ name: "WriteMemoryTopic", input });
 * const { text } = await run({ name: "ReadMemoryTopic", input: { name: "deploy" } });
 * console.log(text.includes("Run pnpm ship.")); // true
 */
export function createMemoryTools(input: MemoryToolsInput): readonly Tool[] {
  const { store, search, policy = NO_RULES, prefix = "", undoHint, agent, user } = input;
  const { userScope, teamTopics, findEvidence, inbox, origin: fixedOrigin } = input;
  // Callers in plain JavaScript get a message they can act on.
  if (store === undefined) throw new Error("createMemoryTools requires `store`, a topic store");
  const names = memoryNames(prefix, store.scope ?? "project");
  const rules = (): PermissionPolicy =>
    withoutPrefix(typeof policy === "function" ? policy() : policy, prefix);
  const found = search ?? createStoreSearch(store);
  // oxlint-disable-next-line no-restricted-properties -- the default of an argument
  const now = input.now ?? Date.now;
  let count: CountChange | undefined;
  const readTool = names.tool("ReadMemoryTopic");
  const memory: MemoryToolContext = {
    store: readableTopics(store, { policy: rules, readTool }),
    names,
    scope: "project",
    readShared:
      teamTopics &&
      (async (name) =>
        await readReadable(name, { read: teamTopics.read, policy: rules, scope: "team" })),
    other: userScope && (() => aboutUser),
    undoHint,
    findEvidence,
    inbox,
    origin: fixedOrigin,
    searchesSessions: found.searchesSessions ?? true,
    authorOf: ({ session, usedTools }, origin) => ({
      who: "agent",
      agent,
      user,
      session,
      origin,
      ...(usedTools.length === 0 ? {} : { after: usedTools }),
    }),
    now,
    countChange: async (change) => {
      const { createWriteLimit } = await import("./write-limit.ts");
      count ??= createWriteLimit({ now });
      count(change);
    },
    search: {
      search: async (request) => {
        // Loaded with the first search.
        const { readableSearch } = await import("../memory-access/readable-search.ts");
        return await readableSearch(found, rules).search(request);
      },
    },
  };
  const aboutUser = userContext(memory, { ...input, rules });
  return [
    createMemoryTool(READ_MEMORY_TOPIC, memory),
    createMemoryTool(WRITE_MEMORY_TOPIC, memory),
    createMemoryTool(DELETE_MEMORY_TOPIC, memory),
    createMemoryTool(MEMORY_SEARCH, memory),
  ];
}

/** The tools for memory about the user, which only the user's own words may change. */
function userContext(
  memory: MemoryToolContext,
  {
    store,
    userScope,
    rules,
  }: Pick<MemoryToolsInput, "store" | "userScope"> & { readonly rules: () => PermissionPolicy },
): MemoryToolContext {
  const { names } = memory;
  const readTool = names.tool("ReadMemoryTopic");
  const context: MemoryToolContext = {
    ...memory,
    store: readableTopics(userScope?.store ?? store, { policy: rules, readTool, scope: "user" }),
    names: { ...names, memory: "user memory" },
    scope: "user",
    readShared: undefined,
    other: () => memory,
    inbox: userScope?.inbox,
    refuseChange: async (change, call) => {
      if (userScope === undefined) return undefined;
      // Loaded with the first change of memory about the user.
      const { refuseUserChange } = await import("./refuse-user-change.ts");
      const { proposeUserTopic } = await import("./review/review-change.ts");
      const propose: UserChangeContext["propose"] =
        userScope.inbox &&
        (async (topic) => await proposeUserTopic(topic, { context: call, memory: context }));
      return await refuseUserChange(change, { ...call, ...userScope, names, propose });
    },
  };
  return context;
}

const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

const MEMORY_SEARCH: MemoryToolDefinition<"MemorySearch"> = {
  name: "MemorySearch",
  description: ({ searchesSessions }) =>
    `Search memory by keywords or with a question. Covers all topics, including those your index does not show${searchesSessions ? ", and past sessions of this project" : ""}.`,
  permission: "memory.search",
  isReadOnly: true,
  execute: async (input, _context, memory) => {
    // The search is only loaded when it is first used.
    const { searchMemory } = await import("./search-memory.ts");
    return await searchMemory(input, memory);
  },
};
