import type { MemoryPageData } from "@caliban/page";
import type { Invocation } from "../../command.ts";
import { autoMemoryOffReason } from "../../project/auto-memory-off.ts";
import { openProject } from "../../project/project.ts";
import { abbreviatePath } from "../user-paths.ts";
import { createHealth } from "./health.ts";
import { createInboxData } from "./inbox-data.ts";
import { createSearchData } from "./search-data.ts";
import { createTopicChanges } from "./topic-changes.ts";
import { createTopicReads } from "./topic-reads.ts";

/** The memory of a project, as the page shows it. Settings and memory are read again with each call. */
export async function openPageData(invocation: Invocation): Promise<MemoryPageData> {
  return {
    about: async () => {
      const { host } = invocation;
      const project = await openProject(invocation);
      return {
        version: host.version,
        workspace: abbreviatePath(host, project.workspace.root),
        readOnly: autoMemoryOffReason(project),
      };
    },
    displayPath: (path) => abbreviatePath(invocation.host, path),
    prompt: async () => {
      const { receipt, prefix } = await (await openProject(invocation)).memory();
      return { receipt, prefix };
    },
    ...createTopicReads(invocation),
    ...createTopicChanges(invocation),
    ...createInboxData(invocation),
    ...(await createSearchData(invocation)),
    ...createHealth(invocation),
  };
}
