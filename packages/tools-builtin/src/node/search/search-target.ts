import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "@caliban/common/node";
import { FileToolError } from "../file-tool-error.ts";
import { isInside } from "../real-path.ts";
import { realRoot, resolveAllowedPath, type ResolvedPath } from "../resolve-path.ts";
import type { ToolState } from "../tool-state.ts";

/** Where a search starts. */
export interface SearchTarget extends ResolvedPath {
  readonly isDirectory: boolean;
  /** The directory with the outermost ignore files that apply. */
  readonly top: string;
  readonly ignoreNameCase: boolean;
}

/**
 * Resolves the path of a search. The default is the start directory.
 *
 * @throws FileToolError if it does not exist or cannot be searched
 */
export function resolveSearchTarget(state: ToolState, path = "."): SearchTarget {
  const resolved = resolveAllowedPath(state, path, "read");
  const stats = statTarget(resolved);
  if (!stats.isDirectory() && !stats.isFile()) {
    throw new FileToolError(
      "NOT_A_FILE",
      `${resolved.display} is neither a file nor a directory. Choose another path.`,
    );
  }
  const root = realRoot(state.workspace);
  const isDirectory = stats.isDirectory();
  const ownDirectory = isDirectory ? resolved.path : dirname(resolved.path);
  const { platform } = state.workspace;
  return {
    ...resolved,
    isDirectory,
    top: isInside(root, resolved.path) ? root : ownDirectory,
    ignoreNameCase: platform === "win32" || platform === "darwin",
  };
}

/** Formats the path of a file below the target for people and rules. An empty name means the target itself. */
export function displayIn({ display }: Pick<SearchTarget, "display">, name: string): string {
  if (name === "") return display;
  if (display === ".") return name;
  return display.endsWith("/") ? `${display}${name}` : `${display}/${name}`;
}

function statTarget({ path, display }: ResolvedPath): Stats {
  try {
    return statSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
    throw new FileToolError(
      "MISSING",
      `${display} does not exist. Use Glob to find files by pattern.`,
      { cause: error },
    );
  }
}
