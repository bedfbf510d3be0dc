import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The repository's top directory. */
export const root: string = dirname(dirname(import.meta.dirname));

/** A command that the workspace brings. */
export function tool(name: string): string {
  return join(root, "node_modules", ".bin", process.platform === "win32" ? `${name}.cmd` : name);
}

type Target = string | { readonly "caliban:source": string; readonly default: string };

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Target>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface WorkspacePackage {
  readonly directory: string;
  readonly manifest: Manifest;
}

/** Every package and app of the workspace. */
export function workspacePackages(): readonly WorkspacePackage[] {
  return ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => {
      const directory = join(root, group, name);
      const text = readFileSync(join(directory, "package.json"), "utf8");
      return { directory, manifest: JSON.parse(text) as Manifest };
    }),
  );
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
    if (subpath === "./package.json") return [];
    const specifier = join(manifest.name, subpath);
    const [source, built] =
      typeof target === "string" ? [target, target] : [target["caliban:source"], target.default];
    return [{ specifier, source: join(directory, source), built: join(directory, built) }];
  });
}
