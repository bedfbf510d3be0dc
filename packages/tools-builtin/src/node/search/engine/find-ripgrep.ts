import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import { isInside } from "../../locate.ts";
import type { ToolWorkspace } from "../../tool-workspace.ts";

/** The ripgrep of this machine, if it has one. */
export function findRipgrep(workspace: ToolWorkspace): string | undefined {
  if (workspace.findRipgrep !== undefined) return workspace.findRipgrep();
  const { env, platform, root, additionalDirectories } = workspace;
  const name = platform === "win32" ? "rg.exe" : "rg";
  const places = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
  return places
    .map((place) => realPathIfExists(join(place, name)))
    .find(
      (path): path is string =>
        path !== undefined &&
        // A repository could bring its own, and searching needs no permission.
        ![root, ...additionalDirectories].some((directory) => isInside(directory, path)) &&
        isExecutable(path),
    );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
