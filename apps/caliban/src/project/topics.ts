import { dirname } from "node:path";
import type { TopicBackend, TopicStore } from "@caliban/memory";
import type { Forgotten } from "@caliban/memory/forgotten";
import { type FsTopicStore, type OpenedTopicStore, openTopicStore } from "@caliban/memory/node";
import { forgettingStore, openProjectForgotten, openUserForgotten } from "./forgotten.ts";
import type { LocationInput } from "./locations.ts";
import { isInDatabase } from "./is-in-database.ts";
import type { Project } from "./project.ts";

/** The topics of a project, in files or in a database. */
export interface ProjectTopics extends Omit<
  OpenedTopicStore,
  "store" | "directory" | "historyDirectory"
> {
  readonly store: TopicStore & Partial<Pick<FsTopicStore, "bootstrap" | "recordExternalChanges">>;
  /** `undefined` if they are in a database, as are the next two. */
  readonly directory: string | undefined;
  readonly historyDirectory: string | undefined;
  /** The database, which nothing connects to before it is used. */
  readonly database?: ProjectDatabase | undefined;
}

interface ProjectDatabase extends Pick<TopicBackend, "watch" | "history"> {
  /** The name of the project there. */
  readonly projectName: () => Promise<string>;
}

export type OpenProjectTopics = (
  access?: Pick<LocationInput, "forWriting">,
) => Promise<ProjectTopics>;

/** Opens the topics where the user's settings say. Code for a database is loaded only if there is one. */
export function projectTopics(
  project: Pick<Project, "host" | "environment" | "workspace" | "settings">,
): OpenProjectTopics {
  const { environment, workspace, settings } = project;
  const open: typeof openTopicStore = openTopicStore;
  const directory = settings.values["memory.directory"];
  if (!isInDatabase(project)) {
    return async (access) =>
      withForgetting(await open({ ...environment, workspace, ...access, directory }), project);
  }
  // One connection, however often the topics are opened.
  let opening: Promise<Pick<ProjectTopics, "store" | "database">> | undefined;
  const openDatabase = async (): Promise<Pick<ProjectTopics, "store" | "database">> => {
    const { openPostgresTopics } = await import("./postgres-topics.ts");
    return openPostgresTopics(project);
  };
  return async (access) => {
    const files = await open({ ...environment, workspace, ...access });
    const opened = {
      ...files,
      ...(await (opening ??= openDatabase())),
      locations: { ...files.locations, memoryDirectory: undefined },
      directory: undefined,
      historyDirectory: undefined,
    };
    return withForgetting(opened, project);
  };
}

/** Tombstones are files in the project home, wherever the topics are. */
function withForgetting(
  topics: ProjectTopics,
  { environment, workspace }: Pick<Project, "environment" | "workspace">,
): ProjectTopics {
  const { projectHome } = topics.locations;
  if (projectHome === undefined) return topics;
  const openTombstones = (): Promise<Forgotten> =>
    openProjectForgotten(projectHome, { ...environment, workspace });
  return { ...topics, store: forgettingStore(topics.store, { openTombstones, projectHome }) };
}

/** Opens the topics about the user. They are always files on this machine, whatever store the project uses. */
export function userTopics({
  environment,
  workspace,
}: Pick<Project, "environment" | "workspace">): OpenProjectTopics {
  return async () => {
    const topics = await openTopicStore({ ...environment, workspace, scope: "user" });
    const openTombstones = (): Promise<Forgotten> => openUserForgotten(dirname(topics.directory));
    return { ...topics, store: forgettingStore(topics.store, { openTombstones }) };
  };
}
