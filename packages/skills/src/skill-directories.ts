import { joinPath, pathStyleOf } from "@caliban/common";
import type { SkillOrigin } from "./skill.ts";

/** A directory that contains one directory with a SKILL.md for each skill. */
export interface SkillDirectory {
  readonly path: string;
  readonly origin: Exclude<SkillOrigin, "bundled" | "server">;
  /** The directory that links may not lead out of; none for the user's own directory. */
  readonly within?: string | undefined;
}

/** The directories that the skill directories are derived from. */
export interface SkillDirectoriesInput {
  readonly platform: string;
  readonly workspaceRoot: string;
  /** `undefined` when no home directory is known. */
  readonly configHome: string | undefined;
  /** Where a program keeps skills that it generated for this project, and what links may not lead out of. */
  readonly generated: Omit<SkillDirectory, "origin"> | undefined;
}

/** The skill directories of a workspace, in order of precedence, highest first. */
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
