import { dirname } from "node:path";
import { isMemoryError } from "@caliban/memory";
import type { Forgotten } from "@caliban/memory/forgotten";
import type { Invocation } from "../../../command.ts";
import { requireAutoMemory, requireUserMemory } from "../../../project/auto-memory-off.ts";
import { openOwnForgotten, openUserForgotten } from "../../../project/forgotten.ts";
import { openProject, type Project } from "../../../project/project.ts";
import type { ProjectTopics } from "../../../project/topics.ts";
import { displayPath } from "../../user-paths.ts";
import { settingsWarnings } from "../../warnings.ts";

/** The topics of the workspace, for one command. */
export interface OpenTopics extends ProjectTopics {
  readonly project: Project;
  /** Printed on stderr, whatever the command does. */
  readonly warnings: readonly string[];
  readonly displayPath: (path: string) => string;
  /** Where the topics are, for messages. */
  readonly where: string;
  /** Added to commands in messages, so that they are about the same topics: ` --user`, or nothing. */
  readonly userFlag: "" | " --user";
}

/** For commands that only read, unless told otherwise. With `--user`, the topics about the user. */
export async function openTopics(
  invocation: Invocation,
  access: { readonly forWriting: boolean } = { forWriting: false },
): Promise<OpenTopics> {
  const project = await openProject(invocation);
  const isUser = isUserScope(invocation);
  const topics = await (isUser ? project.userTopics(access) : project.topics(access));
  const { directory } = topics;
  return {
    ...topics,
    project,
    userFlag: isUser ? " --user" : "",
    where: directory === undefined ? "PostgreSQL" : displayPath(invocation.host, directory),
    warnings: settingsWarnings(invocation.host, project.settings.warnings),
    displayPath: (path) => displayPath(invocation.host, path),
  };
}

/**
 * For commands that may write.
 * @throws UsageError when auto-memory is turned off
 */
export async function openTopicsForWriting(invocation: Invocation): Promise<OpenTopics> {
  const topics = await openTopics(invocation, { forWriting: true });
  if (isUserScope(invocation)) requireUserMemory(topics.project);
  else requireAutoMemory(topics.project);
  return topics;
}

/** Whether a command is about the topics of the user. */
export function isUserScope({ options }: Pick<Invocation, "options">): boolean {
  return options["user"] === true;
}

/** Opens what was forgotten in the topics of a command, and in no other scope. */
export async function openTombstones(topics: OpenTopics): Promise<Forgotten> {
  const { project, locations, directory, userFlag } = topics;
  if (userFlag !== "" && directory !== undefined)
    return await openUserForgotten(dirname(directory));
  const { environment, workspace } = project;
  return await openOwnForgotten(locations.projectHome ?? "", { ...environment, workspace });
}

/** The author of a change made on the command line. */
export const USER = { who: "person", origin: "user" } as const;

/**
 * Records what other programs changed, if possible. A command that only reads still works in a read-only directory, and
 * when auto-memory is turned off.
 */
export async function recordExternalChanges(
  { bare, memory }: Invocation,
  { store, project }: OpenTopics,
): Promise<void> {
  if (bare || !memory || !project.settings.values["memory.auto"]) return;
  try {
    await store.recordExternalChanges?.();
  } catch (error) {
    if (!isMemoryError(error)) throw error;
  }
}
