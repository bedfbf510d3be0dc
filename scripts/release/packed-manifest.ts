import type { ExportTarget, Manifest } from "../workspace-packages.ts";

export interface PackedManifestInput {
  readonly manifest: Manifest;
  /** Relative to the repository, such as `packages/memory`. */
  readonly directory: string;
  /** The version of each package of the workspace. */
  readonly versions: ReadonlyMap<string, string>;
  /** The address of the repository, without a slash at the end. */
  readonly repository: string;
}

/** Returns the manifest as it is published: without what only the workspace uses, and with the address of the repository. */
export function packedManifest(input: PackedManifestInput): object {
  const { directory, versions, repository } = input;
  const { scripts: _scripts, devDependencies: _development, ...manifest } = input.manifest;
  return {
    ...manifest,
    version: versionOf(manifest.name, versions),
    homepage: `${repository}/tree/HEAD/${directory}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: "git", url: `git+${repository}.git`, directory },
    // npm adds the README and the license on its own, and no changelog.
    files: [...(manifest.files ?? []), "CHANGELOG.md"],
    exports: mapValues(manifest.exports, withoutSource),
    ...(manifest.dependencies === undefined
      ? {}
      : { dependencies: withVersions(manifest.dependencies, versions) }),
  };
}

function withoutSource(target: ExportTarget): unknown {
  if (typeof target === "string") return target;
  const { "caliban:source": _source, ...conditions } = target;
  return conditions;
}

function withVersions(
  dependencies: Readonly<Record<string, string>>,
  versions: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  return mapValues(dependencies, (range, name) => {
    if (!range.startsWith("workspace:")) return range;
    // An exact version would install a second copy next to any other version.
    if (range !== "workspace:^")
      throw new Error(`${name}: the range must be "workspace:^", not "${range}"`);
    return `^${versionOf(name, versions)}`;
  });
}

function versionOf(name: string, versions: ReadonlyMap<string, string>): string {
  const version = versions.get(name);
  if (version === undefined) throw new Error(`${name} is not a package of this workspace`);
  return version;
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
