import type { ReleaseCandidate } from "./find-blockers.ts";
import type { Tarball } from "./pack-packages.ts";

export interface PlanInput {
  readonly tarballs: readonly Pick<Tarball, "name" | "version" | "bytes" | "files">[];
  readonly candidates: readonly Pick<ReleaseCandidate, "name" | "version">[];
  readonly blockers: readonly string[];
}

/** Renders what a release publishes: packages, versions, files and sizes; then what blocks it. */
export function renderPlan({ tarballs, candidates, blockers }: PlanInput): string {
  const blocks = tarballs.map((tarball) => {
    const now = candidates.find(({ name }) => name === tarball.name)?.version;
    return renderPackage(tarball, now === tarball.version ? undefined : now);
  });
  const end =
    blockers.length === 0
      ? ["Nothing blocks publishing."]
      : ["Publishing is blocked:", ...blockers.map((blocker) => `- ${blocker}`)];
  return [...blocks, end.join("\n")].join("\n\n");
}

function renderPackage(
  { name, version, bytes, files }: PlanInput["tarballs"][number],
  now: string | undefined,
): string {
  const unpacked = files.reduce((total, file) => total + file.bytes, 0);
  const present = now === undefined ? "" : ` (now ${now})`;
  const sizes = `${files.length} files, ${kibibytes(bytes)} packed, ${kibibytes(unpacked)} unpacked`;
  return [
    `${name} ${version}${present}: ${sizes}`,
    ...files.map((file) => `  ${kibibytes(file.bytes).padStart(11)}  ${file.path}`),
  ].join("\n");
}

function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
