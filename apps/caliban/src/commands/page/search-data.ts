import { join, relative, sep } from "node:path";
import { readTextFile } from "@caliban/common/node";
import type { NoteTrigger } from "@caliban/memory";
import type { MemoryPageData, PageTrigger } from "@caliban/page";
import { memoryPermission } from "@caliban/tools-builtin";
import type { Invocation } from "../../command.ts";
import { loadPolicy } from "../../conversation/access/policy.ts";
import { recallSearch } from "../../conversation/notes/recall-search.ts";
import { openProject } from "../../project/project.ts";
import { openProjectSearch } from "../../project/search.ts";
import { resolveUserPath } from "../user-paths.ts";

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
      const current = await openProject(invocation);
      if (recallSearch({ project: current, search, policy }, "call") === undefined)
        return { note: undefined, off: OFF };
      await search.ready(MAX_WAIT_MS);
      const { root } = project.workspace;
      const note = await search.note({
        trigger: toNoteTrigger(trigger, {
          root,
          resolve: (path) => resolveIn(invocation, root, path),
        }),
        isKnown: () => false,
        isReadable: (address) =>
          !address.startsWith("memory://") || memoryPermission(address, policy) === "allow",
        nowMs: host.now(),
      });
      return { note, off: undefined };
    },
  };
}

const OFF = "No call gets a note: the setting memory.recall, or a permission rule, turns them off.";

/** How much of a file is read, which is more than a note looks at. */
const MAX_FILE_BYTES = 64 * 1024;

interface Workspace {
  readonly root: string;
  /** The absolute path of what the user typed. */
  readonly resolve: (path: string) => string;
}

/** A call as the agent would make it: it gets the text of the file with its path. */
function toNoteTrigger(trigger: PageTrigger, { root, resolve }: Workspace): NoteTrigger {
  if (trigger.kind === "command") return trigger;
  const absolute = resolve(trigger.path);
  const path = relative(root, absolute);
  const isInside = path !== "" && !path.startsWith("..") && absolute.startsWith(root);
  if (!isInside) return { kind: "file", action: "read", path: trigger.path, text: "" };
  const file = readTextFile(join(root, path), MAX_FILE_BYTES, { refuseLinks: true });
  const text = file.kind === "text" ? file.text : "";
  return { kind: "file", action: "read", path: path.split(sep).join("/"), text };
}

/** A relative path is one of the workspace, wherever the page was started. */
function resolveIn({ host }: Invocation, root: string, path: string): string {
  return resolveUserPath({ platform: host.platform, home: host.home, cwd: root }, path);
}
