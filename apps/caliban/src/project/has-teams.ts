import { existsSync } from "node:fs";
import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import type { Project } from "./project.ts";

/** Whether the user joined any team, by a look at one name. The code for team memory is not loaded for that. */
export function hasTeams({ environment }: Pick<Project, "environment">): boolean {
  const { data } = userDirectories(environment);
  return data !== undefined && existsSync(join(data, "team"));
}
