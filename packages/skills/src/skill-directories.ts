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
  /** `undefined`, like the project home, when no home directory is known. */
  readonly configHome: string | undefined;
  readonly projectHome: string | undefined;
}

/** The places of a workspace's skills; of two skills with one name, the one of the earlier place counts. */
export function skillDirectories(input: SkillDirectoriesInput): readonly SkillDirectory[] {
  const { workspaceRoot, configHome, projectHome } = input;
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
    ...(projectHome === undefined
      ? []
      : [
          {
            path: below(projectHome, "autonomous", "skills"),
            origin: "generated",
            within: projectHome,
          } as const,
        ]),
  ];
}
