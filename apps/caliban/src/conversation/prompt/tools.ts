import { decidePermission, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import { lazyTopicStore } from "@caliban/memory";
import { offeredSkills, type Skill } from "@caliban/skills";
import { createSkillTool } from "@caliban/tools-builtin";
import { createFileTools } from "@caliban/tools-builtin/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";
import { createProjectMemoryTools, openAgentTopics } from "./memory-tools.ts";
import type { DeferredSearch } from "../../project/search/deferred-search.ts";

import { createToolWorkspace } from "./tool-workspace.ts";

export interface ToolsInput {
  readonly project: Project;
  readonly memory: ProjectMemory;
  /** What is searched; left out where the agent keeps no notes. */
  readonly search: DeferredSearch | undefined;
  readonly skills: readonly Skill[];
  readonly policy: PermissionPolicy;
}

/** Every tool that there is for a session, whatever the rules say about it. */
export function createTools(input: ToolsInput): readonly Tool[] {
  const { project, memory, search, skills, policy } = input;
  const { host } = project;
  // The store is looked for when a tool is first used: a prompt needs only the tools' names.
  const store = lazyTopicStore(() => openAgentTopics(project, policy));
  const skillTool = createSkillTool(
    offeredSkills(skills).filter(({ alwaysLoaded }) => alwaysLoaded !== true),
  );
  const notes = search === undefined ? undefined : store;
  return [
    ...createFileTools(createToolWorkspace({ project, memory, skills, store: notes, policy })),
    ...(search === undefined ? [] : createProjectMemoryTools({ host, store, search, policy })),
    ...(skillTool === undefined ? [] : [skillTool]),
  ];
}

/** Those that a model is offered: one that is denied whatever it is called with is not. */
export function offeredTools(tools: readonly Tool[], policy: PermissionPolicy): readonly Tool[] {
  // A pattern denies some calls of a tool, not the tool.
  const deny = policy.deny.filter(({ subject }) => subject === undefined);
  // The mode can change in mid-session, and what a model is offered is a part of the cached prompt.
  const whole: PermissionPolicy = { ...policy, deny, mode: "default" };
  return tools.filter(({ name: tool, permission, isReadOnly }) => {
    return decidePermission({ tool, permission, isReadOnly }, whole).kind !== "deny";
  });
}
