import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

export type ExportTarget = string | { readonly "caliban:source": string; readonly default: string };

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, ExportTarget>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface WorkspacePackage {
  /** Relative to the repository, such as `packages/memory`. */
  readonly directory: string;
  readonly manifest: Manifest;
}

/** Returns every package and app of the workspace. */
export function workspacePackages(): readonly WorkspacePackage[] {
  return ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => {
      const directory = `${group}/${name}`;
      const text = readFileSync(join(root, directory, "package.json"), "utf8");
      return { directory, manifest: JSON.parse(text) as Manifest };
    }),
  );
}

/** Returns the packages that are published to npm. */
export function publishedPackages(): readonly WorkspacePackage[] {
  return workspacePackages().filter(({ manifest }) => manifest.private !== true);
}

/** Returns the address of the repository, which is in the manifest of the workspace and nowhere else. */
export function repositoryAddress(): string {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly repository: string;
  };
  return manifest.repository;
}
