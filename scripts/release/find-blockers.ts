/** What the release knows about a package that it would publish. */
export interface ReleaseCandidate {
  readonly name: string;
  /** Relative to the repository, such as `packages/memory`. */
  readonly directory: string;
  /** The version in the manifest. */
  readonly version: string;
  /** The version after the pending changesets. */
  readonly nextVersion: string;
  readonly changelog: string | undefined;
}

export interface ReleaseState {
  readonly repository: string;
  /** Changesets that no version contains yet. */
  readonly pendingChangesets: number;
  /** Paths that differ from the last commit. */
  readonly uncommitted: readonly string[];
  readonly candidates: readonly ReleaseCandidate[];
}

const REPOSITORY = /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+(?<!\.git)$/;

/** Returns what must be done before these packages can be published, one message for each. */
export function findBlockers(state: ReleaseState): readonly string[] {
  const { repository, pendingChangesets, uncommitted, candidates } = state;
  const shown = uncommitted.slice(0, 3).join(", ");
  const more = uncommitted.length > 3 ? ` and ${uncommitted.length - 3} more` : "";
  return [
    ...repositoryProblems(repository),
    ...(pendingChangesets > 0
      ? [`${count(pendingChangesets, "changeset")} not applied. Run: pnpm version-packages`]
      : []),
    ...candidates
      .filter(lacksChangelog)
      .map(
        ({ directory, version }) =>
          `${directory}/CHANGELOG.md: no section "## ${version}". Describe the release with: pnpm changeset`,
      ),
    ...(uncommitted.length > 0
      ? [`uncommitted changes: ${shown}${more}. Commit or remove them.`]
      : []),
  ];
}

function repositoryProblems(repository: string): readonly string[] {
  const field = `package.json: "repository" is`;
  const remedy = "Set it to the address of this repository; all packages take it from there.";
  if (/OWNER/.test(repository)) return [`${field} the placeholder "${repository}". ${remedy}`];
  return REPOSITORY.test(repository) ? [] : [`${field} not valid: "${repository}". ${remedy}`];
}

/** Applying the pending changesets writes the changelog of a version that does not exist yet. */
function lacksChangelog({ version, nextVersion, changelog }: ReleaseCandidate): boolean {
  if (version !== nextVersion) return false;
  return !(changelog ?? "").split(/\r?\n/).includes(`## ${version}`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? " is" : "s are"}`;
}
