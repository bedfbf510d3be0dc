import { decidePermission, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import type { TopicStore } from "@caliban/memory";
import { openTopicStore } from "@caliban/memory/node";
import { offeredSkills, type Skill } from "@caliban/skills";
import { createMemoryTools, createSkillTool } from "@caliban/tools-builtin";
import type { Host } from "../host.ts";
import type { Session } from "../compose.ts";

export interface SessionToolsInput {
  readonly host: Host;
  readonly session: Session;
  readonly autoMemory: boolean;
  readonly skills: readonly Skill[];
}

/** Every tool that there is for a session, whatever the rules say about it. */
export function sessionTools(input: SessionToolsInput): readonly Tool[] {
  const { host, session, autoMemory, skills } = input;
  const store = deferredStore(() => openStore(host, session));
  const skillTool = createSkillTool(
    offeredSkills(skills).filter(({ alwaysLoaded }) => alwaysLoaded !== true),
  );
  return [
    ...(autoMemory ? createMemoryTools({ store, now: host.now }) : []),
    ...(skillTool === undefined ? [] : [skillTool]),
  ];
}

/** Those that a model is offered: one that is denied whatever it is called with is not. */
export function offeredTools(tools: readonly Tool[], policy: PermissionPolicy): readonly Tool[] {
  // A pattern denies some calls of a tool, not the tool.
  const whole = { ...policy, deny: policy.deny.filter(({ subject }) => subject === undefined) };
  return tools.filter(({ name: tool, permission, isReadOnly }) => {
    return decidePermission({ tool, permission, isReadOnly }, whole).kind !== "deny";
  });
}

type ToolStore = Pick<TopicStore, "list" | "read" | "write" | "remove">;

async function openStore(
  { env, platform, home }: Host,
  { workspace, settings }: Session,
): Promise<ToolStore> {
  const directory = settings.values["memory.directory"];
  const { store } = await openTopicStore({
    env,
    platform,
    home,
    workspace,
    directory,
    forWriting: true,
  });
  return store;
}

/** The store is looked for when a tool is first used: a prompt needs only the tools' names. */
function deferredStore(open: () => Promise<ToolStore>): ToolStore {
  let opening: Promise<ToolStore> | undefined;
  const opened = (): Promise<ToolStore> =>
    (opening ??= open().catch((error: unknown) => {
      // Why it failed may pass.
      opening = undefined;
      throw error;
    }));
  return {
    list: async () => await (await opened()).list(),
    read: async (name) => await (await opened()).read(name),
    write: async (request) => await (await opened()).write(request),
    remove: async (request) => await (await opened()).remove(request),
  };
}
