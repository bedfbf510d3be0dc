import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "@caliban/common/node";
import type { FileSession } from "../file-session.ts";
import { FileToolError } from "../file-tool-error.ts";
import { isInside, locate, type Located, realRoot } from "../locate.ts";

/** Where a search begins. */
export interface SearchPlace extends Located {
  readonly isDirectory: boolean;
  /** Directory whose ignore files count first. */
  readonly top: string;
  readonly ignoreCaseOfNames: boolean;
}

/**
 * Finds the place that a search means; the start directory when none is named.
 *
 * @throws FileToolError when there is none, or nothing to search in it
 */
export function searchPlace(session: FileSession, path = "."): SearchPlace {
  const located = locate(session, path, "read");
  const stats = statsOf(located);
  if (!stats.isDirectory() && !stats.isFile()) {
    throw new FileToolError(
      "NOT_A_FILE",
      `${located.shown} is neither a file nor a directory. Choose another place.`,
    );
  }
  const root = realRoot(session.workspace);
  const isDirectory = stats.isDirectory();
  const own = isDirectory ? located.path : dirname(located.path);
  const { platform } = session.workspace;
  return {
    ...located,
    isDirectory,
    top: isInside(root, located.path) ? root : own,
    ignoreCaseOfNames: platform === "win32" || platform === "darwin",
  };
}

/** The path of a file below the place as people and rules have it; the place itself for an empty name. */
export function shownIn({ shown }: Pick<SearchPlace, "shown">, name: string): string {
  if (name === "") return shown;
  if (shown === ".") return name;
  return shown.endsWith("/") ? `${shown}${name}` : `${shown}/${name}`;
}

function statsOf({ path, shown }: Located): Stats {
  try {
    return statSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
    throw new FileToolError("MISSING", `There is no ${shown}. Glob finds files by pattern.`, {
      cause: error,
    });
  }
}
