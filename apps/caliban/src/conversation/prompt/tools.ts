import type { PermissionPolicy, Tool } from "@caliban/agent-core";
import { command, type CommandMessage, withCommands } from "@caliban/common";
import type { OpenedMemorySearch } from "@caliban/memory/node";
import { offeredSkills, type Skill } from "@caliban/skills";
import {
  type AgentStore,
  agentTopics,
  createMemoryTools,
  createPlanTool,
  createSkillTool,
  createTodoTool,
  type PlanToolInput,
} from "@caliban/tools-builtin";
import { openFileTools, type ToolWorkspace } from "@caliban/tools-builtin/node";
import { agentInbox } from "../../project/inbox.ts";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";
import { openTeamScope } from "../../project/team-scope.ts";
import { openUserScope } from "../../project/user-scope.ts";
import { createTaskTool, type SubagentHost } from "./task-tool.ts";
import { createToolWorkspace } from "./tool-workspace.ts";

export interface ToolsInput {
  readonly project: Project;
  readonly memory: ProjectMemory;
  /** Absent when auto-memory is off. */
  readonly search: OpenedMemorySearch | undefined;
  readonly skills: readonly Skill[];
  /** Skills of MCP servers, which have no files. */
  readonly serverSkills: readonly Skill[];
  readonly policy: PermissionPolicy;
  /** What the tools need of the conversation, which is created after them. */
  readonly current: () => {
    readonly subagents?: SubagentHost | undefined;
    readonly plan?: PlanToolInput | undefined;
  };
  /** Saves files before tools change them. */
  readonly onFileChange?: ToolWorkspace["onChange"];
}

/** Creates every tool of a project, whatever the rules say about it. */
export function createTools(input: ToolsInput): readonly Tool[] {
  const { project, memory, search, skills, policy, current } = input;
  // The store is opened when a tool is first used: a prompt needs only the tools' names.
  const open = async (): Promise<AgentStore> => (await project.topics({ forWriting: true })).store;
  const store = agentTopics(open, policy);
  const skillTool = createSkillTool(
    offeredSkills([...skills, ...input.serverSkills]).filter(
      ({ alwaysLoaded }) => alwaysLoaded !== true,
    ),
  );
  const topics = search === undefined ? undefined : store;
  const userScope = search === undefined ? undefined : openUserScope(project);
  const teamTopics = search === undefined ? undefined : openTeamScope(project);
  const workspace = createToolWorkspace({
    project,
    memory,
    skills,
    topics,
    userTopics: userScope?.store,
    teamTopics,
    policy,
    onFileChange: input.onFileChange,
  });
  const { tools, findEvidence } = openFileTools(workspace);
  const { now } = project.host;
  return [
    ...tools,
    ...(search === undefined
      ? []
      : createMemoryTools({
          store,
          userScope,
          teamTopics,
          search,
          now,
          policy,
          undoHint,
          findEvidence,
          inbox: agentInbox(project, "project"),
        })),
    ...(skillTool === undefined ? [] : [skillTool]),
    createTodoTool(),
    createTaskTool({
      host: () => current().subagents,
      hasSmallModel: project.settings.values["models.smol"] !== undefined,
    }),
    createPlanTool({
      isPlanning: () => current().plan?.isPlanning() === true,
      askPlan: () => current().plan?.askPlan(),
    }),
  ];
}

function undoHint(change: string, scope: "project" | "user"): CommandMessage {
  const flag = scope === "user" ? " --user" : "";
  return withCommands`${command(`memory undo ${change}${flag}`)}`;
}
