import { workspacePackages } from "../workspace-packages.ts";
import type { ReleasedPackage } from "./missing-changesets.ts";

export interface VersionedPackage extends ReleasedPackage {
  readonly version: string;
}

/** Returns every package and app, with the packages that its build inlines. */
export function releasedPackages(): readonly VersionedPackage[] {
  const found = workspacePackages();
  const ours = new Map(found.map(({ manifest }) => [manifest.name, manifest]));
  return found.map(({ directory, manifest }) => {
    const built = Object.keys(manifest.devDependencies ?? {}).filter((name) => ours.has(name));
    return {
      name: manifest.name,
      version: manifest.version,
      directory,
      isPrivate: manifest.private === true,
      // A program ships as one bundle; a library inlines private packages only.
      inlines:
        manifest.bin === undefined
          ? built.filter((name) => ours.get(name)?.private === true)
          : built,
    };
  });
}
