import { locateMemory, type MemoryLocations } from "../project/locations.ts";
import { resolveChosenDirectory } from "./project/claude-directory.ts";
import {
  type OpenProjectHomeInput,
  ownIdentity,
  type ProjectRequest,
  resolveProjectRequest,
} from "./project/home.ts";
import type { ProjectIdentity } from "./project/identity.ts";

export interface OpenTopicStoreInput extends OpenProjectHomeInput {
  /** `[memory] directory` of the user's own settings: a path, or `claude` for the directory Claude Code uses. */
  readonly directory?: string | undefined;
  /** `user` opens the topics about the user that hold in every project, wherever the project's are. */
  readonly scope?: "project" | "user" | undefined;
}

/** Where the topics of a workspace are. Opens nothing. */
export async function locateTopics(input: OpenTopicStoreInput): Promise<{
  readonly request: ProjectRequest;
  readonly identity: ProjectIdentity;
  readonly locations: MemoryLocations;
}> {
  const request = await resolveProjectRequest(input);
  const identity = await ownIdentity(request);
  const chosen = resolveChosenDirectory(request, input.directory, identity.path);
  const locations = locateMemory({ ...request, slug: identity.name, directory: chosen });
  return { request, identity, locations };
}
