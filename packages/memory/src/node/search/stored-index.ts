import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine, userDirectories } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { MemoryError } from "../../errors.ts";
import {
  type EnvironmentOptions,
  resolveEnvironment,
  type ResolvedEnvironment,
} from "../project/environment.ts";

/** Where the search index of a project is stored; `undefined` when no home directory is known. */
export function storedIndexFile(
  environment: ResolvedEnvironment,
  project: string,
): string | undefined {
  const directory = indexDirectory(environment);
  return directory && join(directory, `${project}.idx`);
}

/** Where the notes of a project are stored for processes that cannot load the index. */
export function storedNotesFile(
  environment: ResolvedEnvironment,
  project: string,
): string | undefined {
  const directory = indexDirectory(environment);
  return directory && join(directory, `${project}.notes`);
}

function indexDirectory(environment: ResolvedEnvironment): string | undefined {
  const { state } = userDirectories(environment);
  return state && join(state, "search");
}

/**
 * Removes the stored search index of a project, or of every project if none is named. An index contains the words of
 * everything it was built from, so erased text must not stay in it. The next search builds it again.
 * @throws MemoryError `UNWRITABLE`
 */
export function forgetSearch(environment: EnvironmentOptions, project?: string): void {
  checkArguments("forgetSearch", { environment }, { environment: "object" });
  const directory = indexDirectory(resolveEnvironment(environment));
  if (directory === undefined) return;
  try {
    for (const name of readdirSync(directory)) {
      if (isIndexFile(name, project)) rmSync(join(directory, name), { force: true });
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return;
    const message = `cannot remove the search index in ${terminalSafeLine(directory)} (${code}); it still contains erased text. Remove it yourself`;
    throw new MemoryError("UNWRITABLE", message, { cause: error });
  }
}

/** Includes the temporary files of writers, finished or not. */
function isIndexFile(name: string, project: string | undefined): boolean {
  if (project === undefined) return /\.(?:idx|notes)(?:\.[^.]*\.tmp)?$/.test(name);
  return [`${project}.idx`, `${project}.notes`].some(
    (file) => name === file || (name.startsWith(`.${file}.`) && name.endsWith(".tmp")),
  );
}
