import { join } from "node:path";
import { listNames } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { type EnvironmentOptions, resolveEnvironment } from "./environment.ts";
import { projectsDirectory, readRecord } from "./identity.ts";

/** A project that has a home in the data directory. */
export interface KnownProject {
  /** The directory name of its home. */
  readonly name: string;
  readonly home: string;
  /** Where the project is or was; `undefined` when nothing was ever written for it. */
  readonly path: string | undefined;
}

/**
 * Lists the projects that have a home, in the order of their names. Creates nothing.
 *
 * @example
 * import { listProjects } from "@caliban/memory/node";
 *
 * for (const { name, path } of listProjects({ env: { HOME: process.cwd() } })) console.log(name, path);
 */
export function listProjects(options: EnvironmentOptions = {}): readonly KnownProject[] {
  checkArguments("listProjects", { options }, { options: "object" });
  const projects = projectsDirectory(resolveEnvironment(options));
  if (projects === undefined) return [];
  return listNames(projects)
    .toSorted()
    .map((name) => {
      const home = join(projects, name);
      return { name, home, path: readRecord(home)?.path };
    });
}
