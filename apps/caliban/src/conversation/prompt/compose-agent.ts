import {
  findUnknownRules,
  offeredTools,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
  resolveSystemPrompt,
  type RuleSource,
  type SystemPrompt,
  type Tool,
} from "@caliban/agent-core";
import { type Diagnostic, terminalSafeLine } from "@caliban/common";
import type { ConversationServers, ServerSkill } from "@caliban/mcp/node";
import type { OpenedMemorySearch } from "@caliban/memory/node";
import { listSkills, type Skill } from "@caliban/skills";
import type { ToolWorkspace } from "@caliban/tools-builtin/node";
import { autoMemoryOffReason } from "../../project/auto-memory-off.ts";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";
import { openProjectSearch } from "../../project/search.ts";
import { loadPolicy } from "../access/policy.ts";
import { createProjectServers, openServers } from "./servers.ts";
import { loadProjectSkills } from "./skills.ts";
import { createTools, type ToolsInput } from "./tools.ts";

/** The prompt, the tools, and the rules that decide about them. */
export interface ComposedAgent {
  readonly prompt: SystemPrompt;
  /** The tools that the model is offered. */
  readonly tools: readonly Tool[];
  /** Tools that a rule denies entirely. They are known so that a call gets the right refusal. */
  readonly deniedTools: readonly Tool[];
  readonly policy: PermissionPolicy;
  /** The rules as they are now. */
  readonly currentPolicy: () => PermissionPolicy;
  /** Adds a rule to the current ones. */
  readonly addRule: (list: RuleSource["list"], rule: PolicyRule) => void;
  readonly skills: readonly Skill[];
  /** Searches memory, for the tools and for recall; absent when auto-memory is off. */
  readonly search?: OpenedMemorySearch | undefined;
  readonly warnings: readonly StartWarning[];
}

/** Something the user must know before the conversation begins. */
export type StartWarning = Diagnostic<
  | "SETTINGS"
  | "PERMISSION_RULE"
  | "SKILL"
  | "SERVER"
  | "LEARNED_MEMORY"
  /** The user's own instructions were truncated or not loaded. */
  | "GLOBAL_MEMORY"
  /** A summary of the loaded memory, when not all of it was loaded. */
  | "MEMORY"
>;

/** Options of the command line that change the prompt. */
export interface PromptOverrides {
  readonly mode?: PermissionMode | undefined;
  /** `--system`: replaces our own body. Memory and skills stay. */
  readonly body?: string | undefined;
  /** `--append-system-prompt`: comes last. */
  readonly appended?: string | undefined;
}

export interface ComposeAgentInput {
  readonly project: Project;
  readonly memory: ProjectMemory;
  readonly overrides?: PromptOverrides | undefined;
  /** The session that is running, which a search leaves out. Called with each search. */
  readonly sessionId?: (() => string | undefined) | undefined;
  /** What tools need of the conversation, once there is one. */
  readonly current?: ToolsInput["current"] | undefined;
  /** Saves files before tools change them. */
  readonly onFileChange?: ToolWorkspace["onChange"];
  /** The MCP servers of the conversation; absent when none will be started. */
  readonly servers?: ConversationServers | undefined;
}

/** Composes the prompt exactly as a model gets it, with its tools. */
export async function composeAgent(input: ComposeAgentInput): Promise<ComposedAgent> {
  const { project, memory, overrides = {}, current = () => ({}) } = input;
  const loaded = await loadPolicy(project, overrides.mode);
  const { policy } = loaded;
  const autoMemory = autoMemoryOffReason(project) === undefined;
  const { skills, diagnostics } = await loadProjectSkills(project, { autoMemory, memory });
  const search = autoMemory
    ? openProjectSearch({ project, exceptSession: input.sessionId })
    : undefined;
  const servers = input.servers ?? createProjectServers({ notify: () => undefined });
  const offer = await servers.offer({
    policy,
    hasTiers: project.options.memory,
    open: (ask) => openServers(project, ask),
  });
  const serverSkills = offer.skills.map(toSkill);
  const usable = { skills, serverSkills };
  const created = createTools({ ...input, ...usable, search, policy: loaded.live, current });
  const all = [...created, ...offer.tools];
  // Always in the same order, because the provider's cache begins with the tools.
  const tools = offeredTools(all, policy).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const deniedTools = all.filter((tool) => !tools.includes(tool));
  const unknownRules = findUnknownRules(policy, all, offer.permissions);
  const listed = listSkills({
    // Those of servers last, where they push no other one out of the list.
    skills: [...skills, ...serverSkills],
    tools: namesOf(tools),
    deniedTools: namesOf(deniedTools),
  });
  const prompt = resolveSystemPrompt({
    memoryPrefix: memory.prefix,
    cwd: project.workspace.startDirectory,
    platform: project.environment.platform,
    tools,
    skills: listed.skills,
    body: overrides.body,
    appended: overrides.appended,
  });
  return {
    prompt,
    tools,
    deniedTools,
    policy,
    currentPolicy: loaded.current,
    addRule: loaded.add,
    skills,
    search,
    warnings: [
      ...loaded.warnings,
      ...unknownRules.map(({ message }) => ({ code: "PERMISSION_RULE", message }) as const),
      ...diagnostics.map(({ path, message: reason }) => {
        const message = `skill ${terminalSafeLine(path)}: ${reason}`;
        return { code: "SKILL", path, message } as const;
      }),
      ...[listed.warning ?? []].flat().map((message) => ({ code: "SKILL", message }) as const),
      ...offer.warnings.map((line) => {
        return { code: "SERVER", message: terminalSafeLine(line) } as const;
      }),
    ],
  };
}

function toSkill(skill: ServerSkill): Skill {
  return { ...skill, path: `mcp:${skill.name}`, origin: "server", modelInvocation: true };
}

function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.map(({ name }) => name);
}
