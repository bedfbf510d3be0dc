import { decidePermission, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import { lazyTopicStore } from "@caliban/memory";
import type { OpenedMemorySearch } from "@caliban/memory/node";
import { offeredSkills, type Skill } from "@caliban/skills";
import { createSkillTool } from "@caliban/tools-builtin";
import { createFileTools } from "@caliban/tools-builtin/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";
import { createProjectMemoryTools, openAgentTopics } from "./memory-tools.ts";
import { createToolWorkspace } from "./tool-workspace.ts";

export interface ToolsInput {
  readonly project: Project;
  readonly memory: ProjectMemory;
  /** Absent when auto-memory is off. */
  readonly search: OpenedMemorySearch | undefined;
  readonly skills: readonly Skill[];
  readonly policy: PermissionPolicy;
}

/** Creates every tool of a project, whatever the rules say about it. */
export function createTools(input: ToolsInput): readonly Tool[] {
  const { project, memory, search, skills, policy } = input;
  // The store is opened when a tool is first used: a prompt needs only the tools' names.
  const store = lazyTopicStore(() => openAgentTopics(project, policy));
  const skillTool = createSkillTool(
    offeredSkills(skills).filter(({ alwaysLoaded }) => alwaysLoaded !== true),
  );
  const topics = search === undefined ? undefined : store;
  return [
    ...createFileTools(createToolWorkspace({ project, memory, skills, topics, policy })),
    ...(search === undefined
      ? []
      : createProjectMemoryTools({ host: project.host, store, search, policy })),
    ...(skillTool === undefined ? [] : [skillTool]),
  ];
}

/** The tools that a model is offered: all but those that are denied whatever they are called with. */
export function offeredTools(tools: readonly Tool[], policy: PermissionPolicy): readonly Tool[] {
  // A rule with a pattern denies some calls of a tool, not the tool.
  const deny = policy.deny.filter(({ subject }) => subject === undefined);
  // The mode can change during a session, and the offered tools are part of the cached prompt.
  const unconditional: PermissionPolicy = { ...policy, deny, mode: "default" };
  return tools.filter(({ name: tool, permission, isReadOnly }) => {
    return decidePermission({ tool, permission, isReadOnly }, unconditional).kind !== "deny";
  });
}
