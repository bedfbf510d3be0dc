import type { Project } from "./project.ts";

/** Whether the topics are in a database. A repository has no say in that. */
export function isInDatabase({ settings }: Pick<Project, "settings">): boolean {
  return settings.trusted["memory.store"] === "postgres";
}
