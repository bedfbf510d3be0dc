/** A package of the workspace, as the check sees it. */
export interface ReleasedPackage {
  readonly name: string;
  /** Relative to the repository, such as `packages/memory`. */
  readonly directory: string;
  readonly isPrivate: boolean;
  /** Workspace packages whose code is inlined into this one. */
  readonly inlines: readonly string[];
}

export interface MissingInput {
  readonly packages: readonly ReleasedPackage[];
  /** Relative to the repository. */
  readonly changedFiles: readonly string[];
  /** Packages that the pending changesets name. */
  readonly named: ReadonlySet<string>;
}

/** A package whose released code changed, and the changed sources. */
export interface MissingChangeset {
  readonly name: string;
  readonly files: readonly string[];
}

/** A published package needs a release if its own code or the code it inlines changed. */
export function missingChangesets({
  packages,
  changedFiles,
  named,
}: MissingInput): readonly MissingChangeset[] {
  const changedIn = (name: string): readonly string[] => {
    const directory = packages.find((found) => found.name === name)?.directory;
    return changedFiles.filter((file) => file.startsWith(`${directory}/src/`));
  };
  return packages
    .filter(({ isPrivate, name }) => !isPrivate && !named.has(name))
    .map(({ name, inlines }) => ({ name, files: [name, ...inlines].flatMap(changedIn) }))
    .filter(({ files }) => files.length > 0);
}

/** Returns the packages that a changeset names: the keys of its front matter. */
export function namesInChangeset(text: string): readonly string[] {
  const [, header = ""] = /^---\r?\n([\s\S]*?)\r?\n?---/.exec(text) ?? [];
  return [...header.matchAll(/^["']?([^"':\s]+)["']?\s*:\s*(?:patch|minor|major)\s*$/gm)].map(
    ([, name = ""]) => name,
  );
}
