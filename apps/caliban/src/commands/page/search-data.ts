import type { NoteTrigger } from "@caliban/memory";
import type { MemoryPageData, PageTrigger } from "@caliban/page";
import { memoryPermission } from "@caliban/tools-builtin";
import type { Invocation } from "../../command.ts";
import { loadPolicy } from "../../conversation/access/policy.ts";
import { openProject } from "../../project/project.ts";
import { openProjectSearch } from "../../project/search.ts";

type SearchData = Pick<MemoryPageData, "search" | "note">;

const MAX_WAIT_MS = 10_000;

/** Searches as the agent does, and finds the notes that it would get. */
export async function createSearchData(invocation: Invocation): Promise<SearchData> {
  const { host, bare, memory } = invocation;
  const project = await openProject(invocation);
  const search = openProjectSearch({
    project,
    isStored: !bare && memory,
    exceptSession: () => host.runningSession,
  });
  return {
    search: async (query) => {
      const found = await search.search({ query, why: true });
      await search.settled();
      return found;
    },
    note: async (trigger) => {
      const { policy } = await loadPolicy(project);
      await search.ready(MAX_WAIT_MS);
      return await search.note({
        trigger: toNoteTrigger(trigger),
        isKnown: () => false,
        isReadable: (address) =>
          !address.startsWith("memory://") || memoryPermission(address, policy) === "allow",
        nowMs: host.now(),
      });
    },
  };
}

function toNoteTrigger(trigger: PageTrigger): NoteTrigger {
  return trigger.kind === "file"
    ? { kind: "file", action: "read", path: trigger.path, text: "" }
    : trigger;
}
