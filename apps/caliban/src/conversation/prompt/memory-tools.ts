import { decidePermission, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { MemoryError, type TopicStore } from "@caliban/memory";
import type { FsTopicStore, OpenedMemorySearch } from "@caliban/memory/node";
import { createMemoryTools } from "@caliban/tools-builtin";
import type { Host } from "../../host.ts";
import type { Project } from "../../project/project.ts";
import { readableTopics } from "../access/readable-topics.ts";

export interface ProjectMemoryToolsInput {
  readonly host: Pick<Host, "now">;
  readonly store: TopicStore;
  readonly search: OpenedMemorySearch;
  readonly policy: PermissionPolicy;
}

/** Creates the memory tools, which show nothing that the rules deny. The search code is loaded with the first search. */
export function createProjectMemoryTools(input: ProjectMemoryToolsInput): readonly Tool[] {
  const { host, store, search, policy } = input;
  const tools = createMemoryTools({
    store: readableTopics(store, policy),
    now: host.now,
    search: {
      search: async (request) => {
        const { readableSearch } = await import("../access/readable-search.ts");
        return await readableSearch(search, policy).search(request);
      },
    },
  });
  return tools.map((tool) => (tool.name === "ReadMemoryTopic" ? withSubject(tool) : tool));
}

function withSubject(tool: Tool): Tool {
  return { ...tool, subjectOf: topicName };
}

/** Patterns in rules match topic names. A topic found under another spelling is checked again by `readableTopics`. */
function topicName(input: unknown): string | undefined {
  const name = isRecord(input) ? input["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Opens the topics for an agent. Creates the index if the agent may write without asking. */
export async function openAgentTopics(
  { topics }: Pick<Project, "topics">,
  policy: PermissionPolicy,
): Promise<TopicStore> {
  const { store } = await topics({ forWriting: true });
  await createIndexIfAllowed(store, policy);
  return store;
}

const WRITE = { tool: "WriteMemoryTopic", permission: "memory.write", isReadOnly: false };

/** Creates the index on the first access that may write. If that fails, the topics can still be read. */
export async function createIndexIfAllowed(
  { bootstrap }: Pick<FsTopicStore, "bootstrap">,
  policy: PermissionPolicy,
): Promise<void> {
  if (decidePermission(WRITE, policy).kind !== "allow") return;
  try {
    await bootstrap();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
