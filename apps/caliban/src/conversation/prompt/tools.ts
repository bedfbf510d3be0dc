import { decidePermission, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import { lazyMemorySearch, lazyTopicStore, MemoryError } from "@caliban/memory";
import type { FsTopicStore } from "@caliban/memory/node";
import type { MemorySearch } from "@caliban/memory/search";
import { offeredSkills, type Skill } from "@caliban/skills";
import { createMemoryTools, createSkillTool } from "@caliban/tools-builtin";
import { createFileTools } from "@caliban/tools-builtin/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";
import type { DeferredSearch } from "../../project/search/deferred-search.ts";
import { createToolWorkspace } from "./tool-workspace.ts";

export interface ToolsInput {
  readonly project: Project;
  readonly memory: ProjectMemory;
  /** Absent when auto-memory is off. */
  readonly search: DeferredSearch | undefined;
  readonly skills: readonly Skill[];
  readonly policy: PermissionPolicy;
}

/** Creates every tool of a project, whatever the rules say about it. */
export function createTools(input: ToolsInput): readonly Tool[] {
  const { project, memory, search, skills, policy } = input;
  // The store is opened when a tool is first used: a prompt needs only the tools' names.
  const store = lazyTopicStore(async () => {
    const opened = await project.topics({ forWriting: true });
    await createIndexIfAllowed(opened.store, policy);
    return opened.store;
  });
  const skillTool = createSkillTool(
    offeredSkills(skills).filter(({ alwaysLoaded }) => alwaysLoaded !== true),
  );
  const topics = search === undefined ? undefined : store;
  return [
    ...createFileTools(createToolWorkspace({ project, memory, skills, topics, policy })),
    ...(search === undefined
      ? []
      : createMemoryTools({ store, search: searchOf(search), now: project.host.now, policy })),
    ...(skillTool === undefined ? [] : [skillTool]),
  ];
}

/** The search for the tools, which is loaded with the first search. */
export function searchOf({ open }: DeferredSearch): MemorySearch {
  return lazyMemorySearch(async () => (await open()).memory);
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
