import { joinPath, pathStyleOf } from "@caliban/common";
import type { SkillOrigin } from "./skill.ts";

/** A place in which each directory holds the SKILL.md of one skill. */
export interface SkillDirectory {
  readonly path: string;
  readonly origin: Exclude<SkillOrigin, "bundled">;
  /** The directory that links may not lead out of; none for a place that is the person's own. */
  readonly within?: string | undefined;
}

/** The directories that the places lie in. */
export interface SkillDirectoriesInput {
  readonly platform: string;
  readonly workspaceRoot: string;
  /** `undefined` when no home directory is known. */
  readonly configHome: string | undefined;
  /** Where a program keeps the skills that it made for this project, and what links may not lead out of. */
  readonly generated: Omit<SkillDirectory, "origin"> | undefined;
}

/** The places of a workspace's skills; of two skills with one name, the one of the earlier place counts. */
export function skillDirectories(input: SkillDirectoriesInput): readonly SkillDirectory[] {
  const { workspaceRoot, configHome, generated } = input;
  const below = (directory: string, ...names: readonly string[]): string =>
    joinPath(pathStyleOf(input.platform), directory, ...names);
  const workspace = [".caliban", ".claude"].map((name): SkillDirectory => ({
    path: below(workspaceRoot, name, "skills"),
    origin: "workspace",
    within: workspaceRoot,
  }));
  return [
    ...workspace,
    ...(configHome === undefined
      ? []
      : [{ path: below(configHome, "skills"), origin: "user" } as const]),
    ...(generated === undefined ? [] : [{ ...generated, origin: "generated" } as const]),
  ];
}
