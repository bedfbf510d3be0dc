import type { MemoryPageData } from "@caliban/page";
import { autoMemoryOffReason } from "../../project/auto-memory-off.ts";
import { openProject } from "../../project/project.ts";
import { abbreviatePath } from "../user-paths.ts";
import { createHealth } from "./health.ts";
import { createInboxData } from "./inbox-data.ts";
import { createLearnedData } from "./learned-data.ts";
import type { PageContext } from "./page-context.ts";
import { createSearchData } from "./search-data.ts";
import { createTopicChanges } from "./topic-changes.ts";
import { createTopicReads } from "./topic-reads.ts";

/** The memory of a project, as the page shows it. Settings and memory are read again with each call. */
export async function openPageData(context: PageContext): Promise<MemoryPageData> {
  const { invocation } = context;
  const { host } = invocation;
  return {
    about: async () => {
      const project = await openProject(invocation);
      return {
        version: host.version,
        workspace: abbreviatePath(host, project.workspace.root),
        readOnly: autoMemoryOffReason(project),
      };
    },
    displayPath: (path) => abbreviatePath(host, path),
    prompt: async () => {
      const { receipt, prefix } = await (await openProject(invocation)).memory();
      return { receipt, prefix };
    },
    ...createTopicReads(context),
    ...createTopicChanges(context),
    ...createInboxData(context),
    ...createLearnedData(invocation),
    ...(await createSearchData(invocation)),
    ...createHealth(context),
  };
}
