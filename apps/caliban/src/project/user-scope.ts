import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import { lazyTopicStore, type TopicStore } from "@caliban/memory";
import type { MemoryToolsInput } from "@caliban/tools-builtin";
import { userMemoryOffReason } from "./auto-memory-off.ts";
import { agentInbox } from "./inbox.ts";
import type { Project } from "./project.ts";

/** Memory about the user as the agent's tools see it. */
export type OpenUserScope = NonNullable<MemoryToolsInput["userScope"]> & {
  readonly store: TopicStore;
};

/** Opens memory about the user for the agent's tools; `undefined` when it is off. Reads nothing before its first use. */
export function openUserScope(project: Project): OpenUserScope | undefined {
  if (userMemoryOffReason(project) !== undefined) return undefined;
  return {
    store: lazyTopicStore(async () => (await project.userTopics()).store, { scope: "user" }),
    inbox: agentInbox(project, "user"),
    findMentions: async (text) => {
      const { findMentions } = await import("./find-mentions.ts");
      return await findMentions(project, text);
    },
  };
}

/** The directory of the topics about the user; `undefined` when no home directory is known. */
export function userMemoryDirectory({
  environment,
}: Pick<Project, "environment">): string | undefined {
  const { data } = userDirectories(environment);
  return data && join(data, "user", "memory");
}
