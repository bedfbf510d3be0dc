import type { PermissionPolicy } from "@caliban/agent-core";
import type { MemoryPageData, PageProjects, PageScope } from "@caliban/page";
import { exportPage, loadClient } from "@caliban/page/node";
import { hiddenMemoryPermission, memoryPermission } from "@caliban/tools-builtin";
import type { Invocation } from "../../command.ts";
import { openPageProjects } from "../page/projects.ts";
import { redactText } from "../page/redact-text.ts";

export interface MemoryAppInput {
  readonly invocation: Invocation;
  /** Decides what clients may read. No one can be asked, so `ask` means no. */
  readonly policy: PermissionPolicy;
  readonly report: (line: string) => void;
}

/**
 * Renders the memory page as a page of the client: what `caliban page --export` shows, without what rules deny, and
 * without the inbox, whose texts no model may read before the user does.
 */
export async function renderMemoryApp(input: MemoryAppInput): Promise<string> {
  const { invocation, policy, report } = input;
  const projects = await openPageProjects(invocation, { isAll: false, report });
  try {
    return await exportPage({
      projects: readableProjects(projects, policy),
      client: await loadClient(),
      redact: redactText(invocation.host),
      isApp: true,
    });
  } finally {
    projects.close();
  }
}

function readableProjects(projects: PageProjects, policy: PermissionPolicy): PageProjects {
  return {
    ...projects,
    open: async (id) => {
      const data = await projects.open(id);
      return data && readableData(data, policy);
    },
  };
}

function readableData(data: MemoryPageData, policy: PermissionPolicy): MemoryPageData {
  const mayRead = (address: string): boolean => memoryPermission(address, policy) === "allow";
  const mayReadTopic = (scope: PageScope, slug: string): boolean =>
    mayRead(`memory://${scope === "user" ? "user/" : ""}topics/${slug}`);
  // These may have the text of any topic.
  const hidesSome = hiddenMemoryPermission(policy) !== "allow";
  const ifAllReadable = <Item>(read: () => Promise<readonly Item[]>): Promise<readonly Item[]> =>
    hidesSome ? Promise.resolve([]) : read();
  const mayReadLearned = mayRead("memory://root");
  return {
    ...data,
    topics: async (scope) =>
      (await data.topics(scope)).filter(({ slug }) => mayReadTopic(scope, slug)),
    topic: async (address) =>
      mayReadTopic(address.scope, address.slug) ? await data.topic(address) : undefined,
    links: async (scope) => (hidesSome ? new Map() : await data.links(scope)),
    changes: (scope) => ifAllReadable(() => data.changes(scope)),
    findings: () => ifAllReadable(data.findings),
    unused: () => ifAllReadable(data.unused),
    proposals: async () => [],
    generations: () => (mayReadLearned ? ifAllReadable(data.generations) : Promise.resolve([])),
    generation: (number) =>
      mayReadLearned ? ifAllReadable(() => data.generation(number)) : Promise.resolve([]),
  };
}
