import { decidePermission, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import { deferredTopicStore, MemoryError, type TopicStore } from "@caliban/memory";
import { type FsTopicStore, openTopicStore } from "@caliban/memory/node";
import { offeredSkills, type Skill } from "@caliban/skills";
import { createSkillTool } from "@caliban/tools-builtin";
import { createFileTools } from "@caliban/tools-builtin/node";
import type { Invocation } from "../command.ts";
import type { Session, SessionMemory } from "../compose.ts";
import type { Host } from "../host.ts";
import { sessionMemoryTools } from "./memory-tools.ts";
import type { DeferredSearch } from "../search/deferred-search.ts";
import { toolWorkspace } from "./tool-workspace.ts";

export interface SessionToolsInput {
  readonly invocation: Invocation;
  readonly session: Session;
  readonly memory: SessionMemory;
  /** What is searched; left out where the agent keeps no notes. */
  readonly search: DeferredSearch | undefined;
  readonly skills: readonly Skill[];
  readonly policy: PermissionPolicy;
}

/** Every tool that there is for a session, whatever the rules say about it. */
export function sessionTools(input: SessionToolsInput): readonly Tool[] {
  const { invocation, session, memory, search, skills, policy } = input;
  const { host } = invocation;
  // The store is looked for when a tool is first used: a prompt needs only the tools' names.
  const store = deferredTopicStore(() => openStore(host, session, policy));
  const skillTool = createSkillTool(
    offeredSkills(skills).filter(({ alwaysLoaded }) => alwaysLoaded !== true),
  );
  const notes = search === undefined ? undefined : store;
  return [
    ...createFileTools(
      toolWorkspace({ invocation, session, memory, skills, store: notes, policy }),
    ),
    ...(search === undefined ? [] : sessionMemoryTools({ host, store, search, policy })),
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

async function openStore(
  { env, platform, home }: Host,
  { workspace, settings }: Session,
  policy: PermissionPolicy,
): Promise<TopicStore> {
  const directory = settings.values["memory.directory"];
  const place = { env, platform, home, workspace, directory };
  const { store } = await openTopicStore({ ...place, forWriting: true });
  if (decidePermission(WRITING, policy).kind === "allow") await bootstrapIfPossible(store);
  return store;
}

const WRITING = { tool: "WriteMemoryTopic", permission: "memory.write", isReadOnly: false };

/** The first access that may write makes an index. Where that fails, there still is something to read. */
async function bootstrapIfPossible({ bootstrap }: FsTopicStore): Promise<void> {
  try {
    await bootstrap();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
