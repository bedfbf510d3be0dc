import { join } from "node:path";
import { root } from "../../scripts/workspace.mjs";
import type { WorkspacePackage } from "../../scripts/workspace-packages.ts";

/** A command that the workspace brings. */
export function tool(name: string): string {
  return join(root, "node_modules", ".bin", process.platform === "win32" ? `${name}.cmd` : name);
}

export interface Entry {
  /** As others import it, such as `@caliban/memory/node`. */
  readonly specifier: string;
  readonly source: string;
  readonly built: string;
}

/** The entries of a package that hold code. */
export function entriesOf({ directory, manifest }: WorkspacePackage): readonly Entry[] {
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    return {
      specifier: `${manifest.name}${subpath.slice(1)}`,
      source: join(root, directory, target["caliban:source"]),
      built: join(root, directory, target.default),
    };
  });
}
