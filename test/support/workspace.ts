import { join } from "node:path";
import { root } from "../../scripts/workspace.mjs";
import type { WorkspacePackage } from "../../scripts/workspace-packages.ts";

/** The path of a command that is installed with the workspace. */
export function tool(name: string): string {
  return join(root, "node_modules", ".bin", process.platform === "win32" ? `${name}.cmd` : name);
}

export interface Entry {
  /** The name that others import, such as `@caliban/memory/node`. */
  readonly specifier: string;
  readonly source: string;
  readonly built: string;
  /** Whether it is part of the Node half; all other entries run in any runtime. */
  readonly isNode: boolean;
}

/** The entries of a package that contain code. */
export function entriesOf({ directory, manifest }: WorkspacePackage): readonly Entry[] {
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const source = target["caliban:source"];
    return {
      specifier: `${manifest.name}${subpath.slice(1)}`,
      source: join(root, directory, source),
      isNode: source.startsWith("./src/node/"),
      built: join(root, directory, target.default),
    };
  });
}
