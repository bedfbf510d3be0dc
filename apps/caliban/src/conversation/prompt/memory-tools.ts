import { type PermissionPolicy, type Tool, decidePermission } from "@caliban/agent-core";
import { type TopicStore, MemoryError } from "@caliban/memory";
import { createMemoryTools } from "@caliban/tools-builtin";
import type { Host } from "../../host.ts";
import { isRecord } from "../../is-record.ts";
import type { DeferredSearch } from "../../project/search/deferred-search.ts";
import { readableTopics } from "../access/readable-topics.ts";
import type { FsTopicStore } from "@caliban/memory/node";
import type { Project } from "../../project/project.ts";

export interface ProjectMemoryToolsInput {
  readonly host: Pick<Host, "now">;
  readonly store: TopicStore;
  readonly search: DeferredSearch;
  readonly policy: PermissionPolicy;
}

/** The memory tools of a session. What searches is loaded with the first search. */
export function createProjectMemoryTools(input: ProjectMemoryToolsInput): readonly Tool[] {
  const { host, store, search, policy } = input;
  const tools = createMemoryTools({
    store: readableTopics(store, policy),
    now: host.now,
    search: {
      search: async (request) => {
        const [{ memory }, { readableSearch }] = await Promise.all([
          search.open(),
          import("../access/readable-search.ts"),
        ]);
        return await readableSearch(memory, policy).search(request);
      },
    },
  });
  return tools.map((tool) => (tool.name === READING ? withSubject(tool) : tool));
}

/** The one whose patterns are about names of topics: what it finds under another spelling is held against them again. */
const READING = "ReadMemoryTopic";

function withSubject(tool: Tool): Tool {
  return { ...tool, subjectOf: nameOf };
}

function nameOf(input: unknown): string | undefined {
  const name = isRecord(input) ? input["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The notes of a project for an agent; where it may write them without a question, there is an index from then on. */
export async function openAgentTopics(
  { topics }: Pick<Project, "topics">,
  policy: PermissionPolicy,
): Promise<TopicStore> {
  const { store } = await topics({ forWriting: true });
  await createIndexIfAllowed(store, policy);
  return store;
}

const WRITING = { tool: "WriteMemoryTopic", permission: "memory.write", isReadOnly: false };

/** The first access that may write makes an index. Where that fails, there still is something to read. */
export async function createIndexIfAllowed(
  { bootstrap }: Pick<FsTopicStore, "bootstrap">,
  policy: PermissionPolicy,
): Promise<void> {
  if (decidePermission(WRITING, policy).kind !== "allow") return;
  try {
    await bootstrap();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
