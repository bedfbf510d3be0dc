import type { PermissionPolicy, Tool } from "@caliban/agent-core";
import type { TopicStore } from "@caliban/memory";
import { createMemoryTools } from "@caliban/tools-builtin";
import type { Host } from "../../host.ts";
import { isRecord } from "../../is-record.ts";
import type { DeferredSearch } from "../../project/search/deferred-search.ts";
import { readableTopics } from "../access/readable-topics.ts";

export interface SessionMemoryToolsInput {
  readonly host: Pick<Host, "now">;
  readonly store: TopicStore;
  readonly search: DeferredSearch;
  readonly policy: PermissionPolicy;
}

/** The memory tools of a session. What searches is loaded with the first search. */
export function sessionMemoryTools(input: SessionMemoryToolsInput): readonly Tool[] {
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
