import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "@caliban/common/node";
import type { ToolState } from "../tool-state.ts";
import { FileToolError } from "../file-tool-error.ts";
import { isInside, resolveAllowedPath, type ResolvedPath, realRoot } from "../resolve-path.ts";

/** Where a search begins. */
export interface SearchTarget extends ResolvedPath {
  readonly isDirectory: boolean;
  /** Directory whose ignore files count first. */
  readonly top: string;
  readonly ignoreNameCase: boolean;
}

/**
 * Finds the place that a search means; the start directory when none is named.
 *
 * @throws FileToolError when there is none, or nothing to search in it
 */
export function resolveSearchTarget(session: ToolState, path = "."): SearchTarget {
  const located = resolveAllowedPath(session, path, "read");
  const stats = statsOf(located);
  if (!stats.isDirectory() && !stats.isFile()) {
    throw new FileToolError(
      "NOT_A_FILE",
      `${located.display} is neither a file nor a directory. Choose another place.`,
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
    ignoreNameCase: platform === "win32" || platform === "darwin",
  };
}

/** The path of a file below the place as people and rules have it; the place itself for an empty name. */
export function displayIn({ display: shown }: Pick<SearchTarget, "shown">, name: string): string {
  if (name === "") return shown;
  if (shown === ".") return name;
  return shown.endsWith("/") ? `${shown}${name}` : `${shown}/${name}`;
}

function statsOf({ path, display: shown }: ResolvedPath): Stats {
  try {
    return statSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
    throw new FileToolError("MISSING", `There is no ${shown}. Glob finds files by pattern.`, {
      cause: error,
    });
  }
}
